import type { Contract } from '../contract/contract.ts';
import { contradictsKnown, type Known, latestOf, observe, type Statement } from './coverage-key.ts';
import { type Arrived, batchReader, type ReadRow } from './coverage-rows.ts';
import type { Feed } from './feed.ts';
import { SITUATIONS, type SituationId } from './situations.ts';

export { type Situation, type SituationId, situations } from './situations.ts';

/*
 * Counts, from a feed alone, how often each situation was reached. It follows docs/semantics.md as far as situations need it (what counts,
 * what is late, what is absent), key by key in the order of arrival, and is written to be fast rather than complete: it says what
 * was tried, never what is right.
 */

export type SituationCounts = Record<SituationId, number>;

/** How often the feed is in each situation under the contract. */
export function countSituations(contract: Contract, feed: Feed): SituationCounts {
  const counts = noSituations();
  const read = batchReader(contract);
  const log: Log = { contract, keys: new Map(), snapshots: [], watermark: null };
  const before: Arrived[] = [];
  for (const [at, batch] of feed.batches.entries()) {
    const arrived = read(batch, at);
    countBatch(counts, arrived, at, feed);
    countRedelivery(counts, before, arrived);
    const refused = refusal(log, arrived);
    if (refused !== null) counts[refused]++;
    else load(log, arrived, counts);
  }
  return counts;
}

export function noSituations(): SituationCounts {
  return Object.fromEntries(Object.keys(SITUATIONS).map((id) => [id, 0])) as SituationCounts;
}

/** The sum of counts, of a run of several feeds. */
export function addSituations(a: SituationCounts, b: SituationCounts): SituationCounts {
  const sum = { ...a };
  for (const id of Object.keys(sum) as SituationId[]) sum[id] += b[id];
  return sum;
}

// Batches as a whole

function countBatch(counts: SituationCounts, arrived: Arrived, at: number, feed: Feed): void {
  if (arrived.isEmpty) counts[at === 0 ? 'first-load-empty' : 'empty-batch']++;
  if (feed.batches[at]!.rows.length === 1) counts['one-row-batch']++;
  if (feed.batches[at]!.columns !== undefined) counts['reordered-columns']++;
  counts['null-key'] += arrived.nullKeys;
}

/** The same instant with the same rows, in any order. Rows are spelled out only where an earlier batch might be the same one. */
function countRedelivery(counts: SituationCounts, before: Arrived[], arrived: Arrived): void {
  const size = arrived.delivered.length;
  const alike = before.filter((other) => other.asOf === arrived.asOf && other.delivered.length === size);
  const last = before.at(-1);
  before.push(arrived);
  if (size === 0 || alike.length === 0) return;
  const text = spellOut(arrived);
  const again = alike.findLast((other) => spellOut(other) === text);
  if (again !== undefined) counts[again === last ? 'redelivery-at-once' : 'redelivery-later']++;
}

function spellOut({ delivered }: Arrived): string {
  const rows = delivered.map(
    ({ key, instant, state, extra }) => `${key}\u0000${instant}\u0000${state}\u0000${extra}`,
  );
  return rows.sort().join('\u0002');
}

// What is known

interface Log {
  readonly contract: Contract;
  readonly keys: Map<string, Known>;
  readonly snapshots: Arrived[];
  /** The latest instant, for `lateScope: batch`. */
  watermark: bigint | null;
}

function isSilenceAbsence({ contract }: Log): boolean {
  return contract.feed === 'snapshot';
}

/** Whether a key that the batch does not name is absent by it. */
function isMissing(batch: Arrived, key: string, partition: string): boolean {
  if (batch.keys.has(key)) return false;
  return batch.partitions === null || batch.partitions.has(partition);
}

function isLate(log: Log, known: Known | undefined, instant: bigint): boolean {
  const latest =
    log.contract.lateScope === 'batch' ? log.watermark : known === undefined ? null : latestOf(known);
  return latest !== null && instant < latest;
}

/** Why the contract refuses the batch, or null. */
function refusal(log: Log, arrived: Arrived): SituationId | null {
  const { contract } = log;
  const { late, sameInstant, duplicates, nullKey, emptySnapshot } = contract;
  if (emptySnapshot === 'reject' && contract.feed === 'snapshot' && arrived.isEmpty) return 'rejected-empty';
  if (nullKey === 'reject' && arrived.nullKeys > 0) return 'rejected-null-key';
  if (duplicates === 'reject' && arrived.hasDuplicates) return 'rejected-duplicates';
  const said = late === 'reject' || sameInstant === 'reject' ? statements(log, arrived) : [];
  if (late === 'reject') {
    const isAsOfLate =
      arrived.asOfCounts && log.contract.lateScope === 'batch' && isLate(log, undefined, arrived.asOf);
    if (said.some(({ known, statement }) => isLate(log, known, statement.instant))) return 'rejected-late';
    if (isAsOfLate && said.length === 0) return 'rejected-late';
  }
  if (
    sameInstant === 'reject' &&
    said.some(({ known, statement }) => known !== undefined && contradictsKnown(known, statement))
  ) {
    return 'rejected-same-instant';
  }
  return null;
}

interface KeyStatement {
  readonly key: string;
  readonly known: Known | undefined;
  readonly statement: Statement;
  readonly row: ReadRow | null;
}

/** All that the batch says: its rows, one for each key and instant, and the absences. */
function statements(log: Log, arrived: Arrived): readonly KeyStatement[] {
  const said: KeyStatement[] = [];
  for (const row of arrived.rows) {
    const known = log.keys.get(row.key);
    const instant = known?.closedAt != null && row.instant <= known.closedAt ? known.closedAt : row.instant;
    const isReopening = known?.closedAt != null && row.instant <= known.closedAt;
    said.push({
      key: row.key,
      known,
      row,
      statement: { instant, state: row.state, row, batch: arrived.batch, isReopening },
    });
  }
  if (!isSilenceAbsence(log)) return said;
  for (const [key, known] of log.keys) {
    if (!isMissing(arrived, key, known.partition)) continue;
    const statement = {
      instant: arrived.asOf,
      state: null,
      row: null,
      batch: arrived.batch,
      isReopening: false,
    };
    said.push({ key, known, row: null, statement });
  }
  return said;
}

/** Takes in a batch that counts. */
function load(log: Log, arrived: Arrived, counts: SituationCounts): void {
  const { contract } = log;
  counts['duplicates-equal'] += arrived.equalDuplicates;
  counts['duplicates-differing'] += arrived.differingDuplicates;
  counts['several-states-in-a-batch'] += arrived.severalStates;
  if (contract.feed === 'snapshot' && arrived.isEmpty && contract.emptySnapshot === 'ignore') return;

  let highest = arrived.asOfCounts ? arrived.asOf : null;
  for (const { key, known, statement, row } of statements(log, arrived)) {
    const isDropped = contract.late === 'ignore' && isLate(log, known, statement.instant);
    if (row !== null && !isDropped && (highest === null || statement.instant > highest))
      highest = statement.instant;
    if (known === undefined && log.watermark !== null && statement.instant < log.watermark)
      counts['late-new-key']++;
    if (known === undefined && isDropped) continue;
    const track = known ?? log.keys.get(key) ?? nameKey(log, key, row!);
    if (row === null && arrived.partitions !== null && endsPresent(track, arrived.asOf))
      counts['partition-absence']++;
    observe(contract, track, statement, counts, !isDropped);
  }
  if (arrived.partitions !== null) {
    for (const known of log.keys.values()) {
      if (!arrived.partitions.has(known.partition)) counts['partition-unnamed']++;
    }
  }
  log.snapshots.push(arrived);
  if (highest !== null && (log.watermark === null || highest > log.watermark)) log.watermark = highest;
}

/** Whether the key was there until the instant, as far as is known. */
function endsPresent({ log }: Known, instant: bigint): boolean {
  const last = log.at(-1);
  return last !== undefined && last.state !== null && last.instant < instant;
}

/** A key that is named for the first time was absent from the snapshots before. */
function nameKey(log: Log, key: string, row: ReadRow): Known {
  const { contract } = log;
  const known: Known = { log: [], partition: row.partition, closedAt: null, spelling: row.spelling };
  log.keys.set(key, known);
  if (!isSilenceAbsence(log) || contract.deletes === 'ignore' || contract.stamp === 'row-time') return known;
  for (const snapshot of log.snapshots) {
    if (!isMissing(snapshot, key, row.partition)) continue;
    known.log.push({
      instant: snapshot.asOf,
      state: null,
      row: null,
      batch: snapshot.batch,
      isBeforeNamed: true,
    });
  }
  known.log.sort((a, b) => (a.instant < b.instant ? -1 : Number(a.instant > b.instant)));
  return known;
}
