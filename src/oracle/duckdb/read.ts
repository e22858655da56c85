import type { Cell } from '../../contract/columns.ts';
import type { Contract } from '../../contract/contract.ts';
import { besideColumns, hasCurrentTable, hasVersions } from '../../contract/types.ts';
import type { Database } from '../../duckdb/connection.ts';
import type { ExpectedKey, ExpectedStep, ExpectedVersion } from '../expected.ts';
import { CURRENT_TABLE } from './types.ts';
import { type UntrackedRelations, VERSIONS } from './untracked.ts';

/** An expected key with the numbers that stand for it and its untracked states in the relations. */
export interface NumberedKey extends ExpectedKey {
  readonly number: number;
}

export interface NumberedStep extends ExpectedStep {
  readonly keys: readonly NumberedKey[];
}

type Row = Readonly<Record<string, Cell>>;

/**
 * The oracle's answer as data, one list of steps for each feed, in the spelling of the rows that were delivered.
 * @param only the name of a relation (feed, step, key): then only what the oracle says at those places
 */
export async function readExpected(
  db: Database,
  contract: Contract,
  feeds: number,
  only: string | null = null,
): Promise<readonly NumberedStep[][]> {
  const { key, tracked, untracked } = contract.columns;
  const list = (prefix: string, length: number, from: string) =>
    Array.from({ length }, (_, index) => `, ${from}.${prefix}${index}`).join('');
  const at = (alias: string) =>
    only === null
      ? ''
      : `WHERE (${alias}.feed, ${alias}.step, ${alias}.key) IN (SELECT (feed, step, key) FROM ${only})`;
  const outcomes = await db.rows<Row>('SELECT feed, batch, rejected FROM outcome ORDER BY feed, batch');
  const keys =
    await db.rows<Row>(`SELECT x.feed, x.step, x.key, x.forgiven, x.ambiguous ${list('k', key.length, 'd')}
    FROM expected_key x
    JOIN (SELECT feed, key, arg_min(batch, (batch, pos)) AS batch, arg_min(pos, (batch, pos)) AS pos FROM delivered GROUP BY feed, key) f USING (feed, key)
    JOIN delivered_values d ON d.feed = f.feed AND d.batch = f.batch AND d.pos = f.pos ${at('x')} ORDER BY x.feed, x.step, x.key`);
  const versionRows = (
    { expected, right }: Pick<UntrackedRelations, 'expected' | 'right'>,
    hasBeside: boolean,
  ) =>
    db.rows<Row>(`WITH right_one AS (
      SELECT r.feed, r.step, r.key, r.valid_from, r.is_deleted, min(r.extra) AS extra FROM ${right} r GROUP BY ALL),
    example AS (
      SELECT extra, any_value(feed) AS feed, arg_min(batch, (feed, batch, pos)) AS batch, arg_min(pos, (feed, batch, pos)) AS pos, min(feed) AS of_feed
      FROM delivered GROUP BY extra)
    SELECT e.feed, e.step, e.key, e.valid_from, e.valid_to, e.is_deleted
      ${list('k', key.length, 'o')}${list('a', tracked.length, 'o')}${list('u', untracked.length, 'coalesce_u')}
      ${hasBeside ? list('b', besideColumns(contract).length, 'be') : ''}
    FROM ${expected} e
    JOIN delivered_values o ON o.feed = e.feed AND o.batch = e.batch AND o.pos = e.pos
    LEFT JOIN delivered od ON od.feed = e.feed AND od.batch = e.batch AND od.pos = e.pos
    LEFT JOIN right_one r ON r.feed = e.feed AND r.step = e.step AND r.key = e.key AND r.valid_from = e.valid_from AND r.is_deleted = e.is_deleted
    LEFT JOIN example x ON x.extra = CASE WHEN r.extra IS NULL OR EXISTS (
        SELECT 1 FROM ${right} q WHERE q.feed = e.feed AND q.step = e.step AND q.key = e.key AND q.valid_from = e.valid_from
          AND q.is_deleted = e.is_deleted AND q.extra = od.extra) THEN od.extra ELSE r.extra END
    LEFT JOIN delivered_values coalesce_u ON coalesce_u.feed = x.of_feed AND coalesce_u.batch = x.batch AND coalesce_u.pos = x.pos
    ${hasBeside ? 'LEFT JOIN expected_beside be ON be.feed = e.feed AND be.step = e.step AND be.key = e.key AND be.valid_from = e.valid_from AND be.is_deleted = e.is_deleted' : ''}
    ${at('e')} ORDER BY e.feed, e.step, e.key, e.valid_from, e.is_deleted`);
  const versions = hasVersions(contract) ? await versionRows(VERSIONS, contract.type === '6') : [];
  const current = hasCurrentTable(contract) ? await versionRows(CURRENT_TABLE, contract.type === '3') : [];
  return assemble(outcomes, keys, { versions, current }, contract, feeds);
}

function assemble(
  outcomes: readonly Row[],
  keys: readonly Row[],
  rows: { readonly versions: readonly Row[]; readonly current: readonly Row[] },
  contract: Contract,
  feeds: number,
): NumberedStep[][] {
  const { columns } = contract;
  const place = (row: Row) => `${row['feed']}/${row['step']}/${row['key']}`;
  const cells = (row: Row, prefix: string, { length }: readonly unknown[]): Cell[] =>
    Array.from({ length }, (_, index) => row[`${prefix}${index}`] ?? null);
  const expected = (row: Row): ExpectedVersion => ({
    key: cells(row, 'k', columns.key),
    tracked: cells(row, 'a', columns.tracked),
    untracked: cells(row, 'u', columns.untracked),
    validFrom: row['valid_from'] as bigint,
    validTo: row['valid_to'] as bigint | null,
    isDeleted: row['is_deleted'] === true,
    beside: cells(row, 'b', besideColumns(contract)),
  });
  const ofKey = new Map<string, ExpectedVersion[]>();
  for (const row of rows.versions) ofKey.set(place(row), [...(ofKey.get(place(row)) ?? []), expected(row)]);
  const currentOfKey = new Map(rows.current.map((row) => [place(row), expected(row)]));
  const steps = Array.from({ length: feeds }, (): NumberedStep[] => []);
  for (const row of outcomes) {
    const feed = steps[Number(row['feed'])]!;
    feed.push({
      batch: Number(row['batch']),
      outcome: row['rejected'] === true ? 'rejected' : 'applied',
      keys: [],
    });
  }
  for (const row of keys) {
    const step = steps[Number(row['feed'])]?.[Number(row['step'])];
    (step?.keys as NumberedKey[] | undefined)?.push({
      number: Number(row['key']),
      key: cells(row, 'k', columns.key),
      versions: ofKey.get(place(row)) ?? [],
      current: currentOfKey.get(place(row)) ?? null,
      forgiven: row['forgiven'] === true,
      ambiguous: row['ambiguous'] === true,
    });
  }
  return steps;
}
