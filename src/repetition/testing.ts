import { type Cell, dimensionColumns, type Row } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { formatInstant } from '../contract/instant.ts';
import { rowsFromTable, tableFromRows } from '../duckdb/rows.ts';
import type { FeedBatch } from '../feed/feed.ts';
import type { ExpectedVersion } from '../oracle/expected.ts';
import { expectFeed } from '../oracle/typescript/index.ts';
import type { Implementation, Session } from '../plugins/implementation.ts';

/** For the tests of this folder: an implementation in this process that is right under any contract, and may be told to be wrong in one way. */
export interface Twist {
  /** Which batches it knows of, given those that it got. */
  readonly know?: (batches: readonly FeedBatch[]) => readonly FeedBatch[];
  /** What it holds, given what is right and the batches that it got. */
  readonly hold?: (rows: readonly Row[], batches: readonly FeedBatch[], session: number) => readonly Row[];
  /** What breaking off a load leaves of it; its points are one. */
  readonly breakOff?: (batch: FeedBatch) => readonly FeedBatch[];
  /** What a session knows that is given the table of one which got these batches; left out, no session is. */
  readonly resume?: (batches: readonly FeedBatch[]) => readonly FeedBatch[];
}

export function rightBut({
  know = (batches) => batches,
  hold = (rows) => rows,
  breakOff,
  resume,
}: Twist): Implementation {
  let sessions = 0;
  let last: readonly FeedBatch[] = [];
  return {
    name: 'fake',
    kind: 'sql',
    anyColumns: true,
    interruptible: breakOff !== undefined,
    beginsFromTable: resume !== undefined,
    start: async ({ contract, dimension }): Promise<Session> => {
      const got: FeedBatch[] = dimension === null ? [] : [...resume!(last)];
      last = got;
      const number = sessions++;
      const toFeedBatch = ({ asOf, rows }: Parameters<Session['apply']>[0]): FeedBatch => ({
        asOf,
        rows: rowsFromTable(rows) as Row[],
      });
      return {
        async apply(batch) {
          got.push(toFeedBatch(batch));
          return { status: 'applied' };
        },
        async read() {
          const step = expectFeed(contract, { id: 'fake', batches: know(got) }).at(-1);
          const rows = (step?.keys ?? []).flatMap(({ versions, current }) => [
            ...versions.map((one) => rowOf(contract, one, true)),
            ...(current === null ? [] : [rowOf(contract, current, false)]),
          ]);
          return tableFromRows(dimensionColumns(contract), hold(rows, got, number));
        },
        async interrupt(batch, point) {
          if (point === 1) got.push(...breakOff!(toFeedBatch(batch)));
          return { points: 1 };
        },
        async close() {},
      };
    },
    close: async () => undefined,
  };
}

/** Of a table of versions, or one that is overwritten. */
function rowOf({ columns }: Contract, version: ExpectedVersion, isVersion: boolean): Row {
  const row: Record<string, Cell> = {};
  for (const role of ['key', 'tracked', 'untracked'] as const)
    for (const [index, { name }] of columns[role].entries()) row[name] = version[role][index] ?? null;
  if (columns.isDeleted !== null) row[columns.isDeleted.name] = version.isDeleted;
  if (columns.inHistory !== null) row[columns.inHistory.name] = isVersion;
  if (!isVersion) return row;
  const instant = (micros: bigint) =>
    columns.validFrom.type === 'date' ? formatInstant(micros).slice(0, 10) : formatInstant(micros);
  row[columns.validFrom.name] = instant(version.validFrom);
  if (columns.validTo !== null)
    row[columns.validTo.name] = version.validTo === null ? null : instant(version.validTo);
  if (columns.isCurrent !== null) row[columns.isCurrent.name] = version.validTo === null;
  return row;
}
