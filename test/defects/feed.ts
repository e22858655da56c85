import { batchColumns, type Column } from '../../src/contract/columns.ts';
import type { Contract } from '../../src/contract/contract.ts';
import { parseInstant } from '../../src/contract/instant.ts';
import type { Feed } from '../../src/feed/feed.ts';
import type { Entry, EntryBatch, Raw } from './entry.ts';
import { type Layout, readCell } from './layout.ts';

/** Batches that arrived, in one reading of an entry's words. */
export interface Arrived {
  readonly batches: readonly EntryBatch[];
  /** Null for the plain reading. */
  readonly told: string | null;
}

/**
 * A batch may come with an action, in words. Most change nothing of what arrived. A load that died may have delivered nothing; a
 * reset forgets what was before it. `options.arrived` says which batches count; where it is missing, the right dimension tells.
 */
export function readings(entry: Entry): readonly Arrived[] {
  const { batches } = entry;
  const arrived = entry.options?.['arrived'];
  if (Array.isArray(arrived)) {
    return [{ batches: batches.filter((_, index) => arrived.includes(index)), told: null }];
  }
  const at = (words: RegExp) =>
    batches.findLastIndex(({ action }) => action !== undefined && words.test(action));
  const plain: Arrived = { batches, told: null };
  const others: Arrived[] = [];
  const died = at(/crash|fail|kill|abort|die|interrupt|roll/i);
  if (died >= 0 && batches.length > 1)
    others.push({ batches: batches.toSpliced(died, 1), told: `batch ${died} did not arrive` });
  const reset = at(/reset|refresh|rebuil|truncat|recreat/i);
  if (reset > 0) others.push({ batches: batches.slice(reset), told: `it begins anew with batch ${reset}` });
  const filled = fillForward(entry);
  if (filled !== null)
    others.push({ batches: filled, told: 'a column that is not delivered keeps its values' });
  return [plain, ...others];
}

/** Rows that lack a column which an earlier row of their key had, with its value; null where no row lacks one. */
function fillForward({ key, batches }: Entry): readonly EntryBatch[] | null {
  const last = new Map<string, Raw>();
  let isFilled = false;
  const filled = batches.map((batch) => ({
    ...batch,
    rows: batch.rows.map((row) => {
      const id = JSON.stringify(key.map((name) => String(row[name])));
      const { _ts, _op, _seq, ts, ...before } = last.get(id) ?? {};
      isFilled ||= Object.keys(before).some((name) => !(name in row));
      last.set(id, { ...before, ...row });
      return { ...before, ...row };
    }),
  }));
  return isFilled ? filled : null;
}

export function feedOf(
  entry: Entry,
  layout: Layout,
  contract: Contract,
  batches: readonly EntryBatch[],
): Feed {
  const columns = batchColumns(contract.columns, contract.firstStart);
  return {
    id: entry.id,
    batches: batches.map((batch) => ({
      asOf: instantOf(batch.as_of),
      rows: batch.rows.map((raw) => {
        const row = Object.fromEntries(
          Object.entries(raw).map(([name, value]) => [layout.nameOf(name), value]),
        );
        return Object.fromEntries(columns.map((column) => [column.name, readCell(column, row[column.name])]));
      }),
      ...(batch.columns === undefined ? {} : { columns: orderOf(columns, batch.columns.map(layout.nameOf)) }),
    })),
  };
}

function orderOf(columns: readonly Column[], told: readonly string[]): readonly string[] {
  return told.filter((name) => columns.some((column) => column.name === name));
}

/** Throws where the text is no instant: then the file is at fault. */
export function instantOf(text: unknown): bigint {
  const micros = typeof text === 'string' ? parseInstant(text) : null;
  if (micros === null) throw new Error(`${JSON.stringify(text)} is no instant.`);
  return micros;
}
