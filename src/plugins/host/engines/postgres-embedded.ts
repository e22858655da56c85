import type { PGlite, PGliteInterface } from '@electric-sql/pglite';
import { loadDriver } from './driver.ts';
import { emptyDatabase, explained, type Link, type LinkPool, type LinkResult } from './postgres-link.ts';

/** Those that no session has. They outlive the script that they came up for: that takes seconds. */
const free: Link[] = [];

/** PostgreSQL in this process, which serves one session after the other. */
export async function embeddedPostgres(): Promise<LinkPool> {
  const { PGlite } = await loadDriver(
    '@electric-sql/pglite',
    'PostgreSQL without a URL',
    () => import('@electric-sql/pglite'),
  );
  const create = async () => linkTo(await PGlite.create());
  // Comes up while the harness gets ready.
  let coming = free.length > 0 ? null : create();
  coming?.catch(() => {});
  return {
    async take() {
      const link = free.pop() ?? coming ?? create();
      if (link === coming) coming = null;
      return link;
    },
    async giveBack(link) {
      await emptyDatabase(link);
      free.push(link);
    },
    async reconnect(link) {
      // There is one connection. It forgets what a new one would not know.
      await link.run('ROLLBACK');
      await link.run('DISCARD ALL');
      return link;
    },
  };
}

function linkTo(database: PGlite): Link {
  keepTexts(database);
  return {
    run: (sql) => run(database, sql),
    async query(sql, parameters) {
      await database.query(sql, [...parameters]).catch((error) => {
        throw explained(error, sql);
      });
    },
  };
}

async function run(database: PGlite, sql: string): Promise<LinkResult> {
  const notices: string[] = [];
  const onNotice = ({ code }: { code?: string | undefined }) => notices.push(code ?? '');
  const results = await database.exec(sql, { rowMode: 'array', onNotice }).catch((error) => {
    throw explained(error, sql);
  });
  const last = results.at(-1);
  return {
    fields: (last?.fields ?? []).map(({ name, dataTypeID }) => ({ name, oid: dataTypeID })),
    rows: (last?.rows ?? []) as unknown as LinkResult['rows'],
    notices,
  };
}

/** Its own conversions lose microseconds and infinite dates. */
function keepTexts({ parsers }: Pick<PGliteInterface, never> & { parsers: Record<string, unknown> }): void {
  for (const oid of Object.keys(parsers)) parsers[oid] = (text: string) => text;
}
