import { UsageError } from '../cli/usage-error.ts';
import type { Database } from '../duckdb/connection.ts';
import { confirm, countGaps } from './confirm.ts';
import { addHashSuspects } from './hash-screen.ts';
import type { Look } from './look.ts';
import type { AuditOptions } from './options.ts';
import { screenInOrder } from './ordered.ts';
import { screen } from './screen.ts';
import { numberedFile } from './table.ts';

export type Timed = <T>(part: string, work: () => Promise<T>) => Promise<T>;

/** One pass, and the checks over what it suspects. */
export function lookHere(options: AuditOptions, where: string, timed: Timed): Look {
  const { from } = options.table;
  return async (db, contract, checks, shown) => {
    // What a file says of itself, where it is not read for that.
    const rows = await timed('count', () => countRows(db, from, where));
    refuseTiny(rows, options, where);
    const screening = {
      contract,
      from,
      where,
      repeats: checks.some(({ id }) => id === 'no-repeat'),
    };
    const everything = options.exact;
    const file = everything ? null : await numberedFile(db, options.table);
    const looksAtHashes = !everything && checks.some(({ id }) => id === 'hash-matches');
    const screened = await timed('screen', async () => {
      const inOrder = file === null ? null : await screenInOrder(db, screening, file);
      const one = inOrder ?? (await screen(db, screening, everything));
      const more = looksAtHashes ? await addHashSuspects(db, screening) : 0;
      return { ...one, suspects: one.suspects + more };
    });
    const nulls = rows - screened.rows;
    await timed('confirm', () =>
      confirm(db, { contract, from, where, checks, shown, everything, nullKeys: nulls }),
    );
    const gaps = await timed('confirm', () => countGaps(db, contract));
    return { rows, nulls, screened, gaps };
  };
}

async function countRows(db: Database, from: string, where: string): Promise<number> {
  const [row] = await db.rows<{ rows: bigint }>(
    `SELECT count(*) AS rows FROM ${from}${where === 'true' ? '' : ` WHERE ${where}`}`,
  );
  return Number(row!.rows);
}

/** @throws UsageError where there are too few rows to judge */
export function refuseTiny(rows: number, { table }: AuditOptions, where: string): void {
  const scope = where === 'true' ? '' : ' in the scope that was asked for';
  if (rows === 0)
    throw new UsageError(
      `\`${table.name}\` has no row${scope}. An empty dimension cannot be judged: is it the right table?`,
    );
  if (rows === 1)
    throw new UsageError(
      `\`${table.name}\` has one row${scope}. One version alone cannot overlap, repeat or leave a gap: there is nothing to judge.`,
    );
}
