import type { Contract } from '../contract/contract.ts';
import { countSituations, type SituationId } from '../feed/coverage.ts';
import type { Feed } from '../feed/feed.ts';
import type { Examined, Examiner } from './examine.ts';
import { isolate } from './isolate.ts';
import type { FailingHistory } from './pack.ts';
import { ballastOf, keyOf, project } from './project.ts';
import { shrink } from './shrink.ts';

/** A defect: the smallest feed that was found to show it, and the check that leads there. */
export interface Defect {
  readonly check: string;
  readonly feed: Feed;
  readonly examined: Examined;
}

/** The implementation gave different answers to the same feed. */
export interface Instability {
  readonly feed: Feed;
  readonly answers: readonly (readonly string[])[];
}

export interface Found {
  readonly defects: readonly Defect[];
  readonly unstable: readonly Instability[];
}

/** A defect that is known already: histories in which all of its situations occur are taken for its own. */
export interface Mask {
  readonly check: string;
  readonly situations: ReadonlySet<SituationId>;
}

export interface SearchLimits {
  readonly maxFailures: number;
  readonly deadline: number;
  /** Rounds of one shrinking; a dozen where it is left out. */
  readonly rounds?: number;
}

/**
 * From many failing histories to few defects: the smallest history is taken out and shrunk with its check pinned; then every history of
 * that check in which the same situations occur is masked, and what is left is another defect.
 * @param shapes shapes of defects that are known (`shapeOf`); those that are found are added
 */
export async function findDefects(
  examiner: Examiner,
  contract: Contract,
  failing: readonly FailingHistory[],
  known: readonly Mask[],
  limits: SearchLimits,
  shapes: Set<string> = new Set(),
): Promise<Found> {
  const masks = [...known];
  const defects: Defect[] = [];
  const unstable: Instability[] = [];
  const seen = new Set<FailingHistory>();
  for (;;) {
    if (defects.length >= limits.maxFailures || performance.now() > limits.deadline) break;
    const full = new Set(
      defects.map(({ check }) => check).filter((check) => countOf(defects, check) >= PER_CHECK),
    );
    const next = failing.find(
      (history) => !seen.has(history) && !full.has(history.check) && !isMasked(contract, history, masks),
    );
    if (next === undefined) break;
    seen.add(next);
    const isolated = await isolate(examiner, contract, next);
    if (isolated.kind === 'unstable') {
      unstable.push({ feed: isolated.feed, answers: isolated.answers });
      break;
    }
    if (isolated.kind === 'vanished') continue;
    const check = isolated.examined.roots.includes(next.check) ? next.check : isolated.examined.roots[0]!;
    const smallest = await shrink(examiner, contract, isolated.examined, check, limits);
    masks.push(maskOf(contract, check, smallest.feed));
    // The mask of a history that needed shrinking to something else would let it come again.
    masks.push({ check: next.check, situations: situationsOf(contract, smallest.feed) });
    const shape = shapeOf(contract, check, smallest.feed);
    if (shapes.has(shape)) continue;
    shapes.add(shape);
    defects.push({ check, feed: smallest.feed, examined: smallest });
  }
  return { defects, unstable };
}

/** One defect shows in many situations. Of one check, more than a few smallest feeds tell a reader nothing new. */
const PER_CHECK = 2;

function countOf(defects: readonly Defect[], check: string): number {
  return defects.filter((one) => one.check === check).length;
}

export function maskOf(contract: Contract, check: string, feed: Feed): Mask {
  return { check, situations: situationsOf(contract, feed) };
}

/** Situations that say what happens to a key. How rows are ordered or how many there are says nothing of a defect. */
function situationsOf(contract: Contract, feed: Feed): ReadonlySet<SituationId> {
  const counts = countSituations(contract, feed);
  const found = (Object.keys(counts) as SituationId[]).filter(
    (id) => counts[id] > 0 && !OF_THE_BATCH.has(id),
  );
  return new Set(found);
}

const OF_THE_BATCH: ReadonlySet<string> = new Set([
  'empty-batch',
  'first-load-empty',
  'one-row-batch',
  'reordered-columns',
]);

function isMasked(
  contract: Contract,
  { feed, key, check, step }: FailingHistory,
  masks: readonly Mask[],
): boolean {
  const same = masks.filter((mask) => mask.check === check);
  if (same.length === 0) return false;
  const cut = { ...feed, batches: feed.batches.slice(0, step + 1) };
  const own = situationsOf(contract, key === null ? cut : project(cut, contract, new Set([key])));
  return same.some(({ situations }) => [...situations].every((id) => own.has(id)));
}

/** What two counterexamples of one defect have in common, whatever their keys and untracked attributes are called. */
export function shapeOf(contract: Contract, check: string, { batches }: Feed): string {
  const ballast = ballastOf(contract);
  const names = new Map<string, number>();
  const { key: keys, untracked } = contract.columns;
  const attributes = [...keys, ...(check === 'untracked' ? [] : untracked)].map(({ name }) => name);
  const shapes = batches.map(({ asOf, rows, columns }) => ({
    asOf,
    columns,
    rows: rows.flatMap((row) => {
      const key = keyOf(row, contract);
      if (ballast.has(key)) return [];
      if (!names.has(key)) names.set(key, names.size);
      return [[names.get(key), ...Object.entries(row).filter(([name]) => !attributes.includes(name))]];
    }),
  }));
  return JSON.stringify([check, shapes], (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
}
