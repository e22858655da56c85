import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf, inOrder, run } from '../docs/blocks.ts';
import { environment, hasPython } from './environment.ts';

/** What docs/guides/ci.md says of dbt, in a project with a seed and a snapshot of it, on DuckDB. */
describe.skipIf(!hasPython())('the gate in dbt', () => {
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let printed = '';
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const blocks = blocksOf('docs/guides/ci.md', 'dbt');

  beforeAll(async () => {
    const python = await environment('dbt', join(import.meta.dirname, 'dbt', 'requirements.txt'));
    folder = mkdtempSync(join(tmpdir(), 'scd2check-dbt-'));
    env = {
      ...process.env,
      PATH: `${dirname(python)}${delimiter}${process.env['PATH']}`,
      DBT_PROFILES_DIR: folder,
      NO_COLOR: '1',
    };
    write(
      'dbt_project.yml',
      "name: shop\nversion: '1.0'\nprofile: shop\nflags: {send_anonymous_usage_stats: false}\n",
    );
    write('profiles.yml', 'shop: {target: dev, outputs: {dev: {type: duckdb, path: warehouse.duckdb}}}\n');
    write('seeds/crm_customers.csv', 'customer_id,segment\n1,Bronze\n2,Gold\n');
    mkdirSync(join(folder, 'macros'));
    const snapshot = blocks.find(({ marker }) => marker.startsWith('file snapshots/'))!;
    // The first load, before there is a hook.
    write(snapshot.marker.slice('file '.length), snapshot.text.replace(/^ *post_hook:.*\n/m, ''));
    run('dbt build', folder, 0, env);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(blocks.map((block) => [`line ${block.line}: ${block.marker}`, block] as const))(
    '%s',
    (_, { marker, text }) => {
      const [, file] = /^file (\S+)$/.exec(marker) ?? [];
      const [command, exit = '0'] = /^run(?: exit=(\d+))?$/.exec(marker) ?? [];
      if (file !== undefined) write(file, text);
      else if (command !== undefined) printed = run(text, folder, Number(exit), env);
      else expect(printed).toMatch(inOrder(text));
    },
  );
});
