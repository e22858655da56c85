import type { CheckWords } from '../checks/check.ts';
import { UsageError } from '../cli/usage-error.ts';
import type { Contract } from '../contract/contract.ts';
import { suggestion } from '../contract/nearest.ts';
import type { Database } from '../duckdb/connection.ts';
import { recordViolations } from './confirm.ts';
import { DUCKDB } from './dialect.ts';
import type { AuditTable } from './table.ts';
import { folded, isMarked, isOpen } from './version.ts';

export const MATCHES_SOURCE: CheckWords = {
  id: 'matches-source',
  group: 'oracle',
  title: 'The open versions are what the source holds now.',
  why: 'A lost or wrong current version is believed by every report until somebody compares it with the source.',
  implies: [],
  message: ({ kind }) => {
    if (kind === 'missing') return 'The source has the key, and the dimension has no open version of it.';
    if (kind === 'extra') return 'The dimension has an open version of a key that the source does not have.';
    return 'The open version has other tracked attributes than the source.';
  },
};

/** Compares the source as it is now with the open versions, both ways. */
export async function compareWithSource(
  db: Database,
  contract: Contract,
  from: string,
  where: string,
  source: AuditTable,
  trackedDeclared: boolean,
): Promise<{ readonly exercised: number; readonly note: string | null }> {
  const names = source.columns.map(({ name }) => name);
  const has = (name: string) => names.some((known) => known.toLowerCase() === name.toLowerCase());
  const { key, tracked } = contract.columns;
  const absent = [...key, ...(trackedDeclared ? tracked : [])].find(({ name }) => !has(name));
  if (absent !== undefined) {
    throw new UsageError(
      `The source \`${source.name}\` has no column \`${absent.name}\`.${suggestion(absent.name, names)} Its columns have to have the dimension's names.`,
    );
  }
  const compared = tracked.filter(({ name }) => has(name));
  const left = tracked.filter(({ name }) => !has(name)).map(({ name }) => `\`${name}\``);
  const keys = (alias: string) =>
    key
      .map((column, index) => `${folded(column, contract.keyCompare, DUCKDB)} AS ${alias}${index}`)
      .join(', ');
  const values = compared.map((column, index) => `${folded(column, contract.compare, DUCKDB)} AS a${index}`);
  const select = (table: string, condition: string) =>
    `SELECT ${[keys('k'), ...values].join(', ')} FROM ${table} WHERE ${condition}`;
  const sameKey = key.map((_, index) => `s.k${index} = d.k${index}`).join(' AND ');
  const differs =
    compared.map((_, index) => `s.a${index} IS DISTINCT FROM d.a${index}`).join(' OR ') || 'false';
  const open =
    contract.columns.validTo === null
      ? 'true'
      : `${isOpen(contract, DUCKDB)} AND NOT ${isMarked(contract, DUCKDB)}`;
  const keyText = key
    .map((_, index) => `CAST(coalesce(s.k${index}, d.k${index}) AS VARCHAR)`)
    .join(` || ' · ' || `);
  await recordViolations(
    db,
    MATCHES_SOURCE.id,
    `SELECT ${keyText} AS key, CASE WHEN d.k0 IS NULL THEN 'missing' WHEN s.k0 IS NULL THEN 'extra' ELSE 'differs' END AS kind
     FROM (${select(source.from, 'true')}) s FULL JOIN (${select(from, `${open} AND ${where}`)}) d ON ${sameKey}
     WHERE d.k0 IS NULL OR s.k0 IS NULL OR (${differs})`,
  );
  const [row] = await db.rows<{ rows: bigint }>(`SELECT count(*) AS rows FROM ${source.from}`);
  const note =
    left.length === 0 ? null : `The source has no ${left.join(', ')}, so these were not compared with it.`;
  return { exercised: Number(row!.rows), note };
}
