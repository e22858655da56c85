import { content } from './against-oracle/content.ts';
import { currentOnEveryRow } from './against-oracle/current-on-every-row.ts';
import { currentValue } from './against-oracle/current-value.ts';
import { exclusiveEnd } from './against-oracle/exclusive-end.ts';
import { historyComplete } from './against-oracle/history-complete.ts';
import { openCount } from './against-oracle/open-count.ts';
import { previousValue } from './against-oracle/previous-value.ts';
import { untracked } from './against-oracle/untracked.ts';
import { versionCount } from './against-oracle/version-count.ts';
import { asOfValue } from './as-of/as-of-value.ts';
import { coverage } from './as-of/coverage.ts';
import { noFanOut } from './as-of/no-fan-out.ts';
import { reconciles } from './as-of/reconciles.ts';
import { batching } from './by-repetition/batching.ts';
import { crashSafe } from './by-repetition/crash-safe.ts';
import { deterministic } from './by-repetition/deterministic.ts';
import { idempotent } from './by-repetition/idempotent.ts';
import { orderIndependent } from './by-repetition/order-independent.ts';
import { resumes } from './by-repetition/resumes.ts';
import type { Check, CheckWords, RepetitionCheck } from './check.ts';
import { acceptsLegalInput } from './over-time/accepts-legal-input.ts';
import { clockInjected } from './over-time/clock-injected.ts';
import { closedStaysClosed } from './over-time/closed-stays-closed.ts';
import { noInventedKey } from './over-time/no-invented-key.ts';
import { rejectsCleanly } from './over-time/rejects-cleanly.ts';
import { schemaKept } from './over-time/schema-kept.ts';
import { surrogateKeyStable } from './over-time/surrogate-key-stable.ts';
import { untouchedKeys } from './over-time/untouched-keys.ts';
import { boundsValid } from './table/bounds-valid.ts';
import { contiguous } from './table/contiguous.ts';
import { currentFlag } from './table/current-flag.ts';
import { hashMatches } from './table/hash-matches.ts';
import { keyNotNull } from './table/key-not-null.ts';
import { noOverlap } from './table/no-overlap.ts';
import { noRepeat } from './table/no-repeat.ts';
import { oneOpenVersion } from './table/one-open-version.ts';
import { oneRowPerKey } from './table/one-row-per-key.ts';
import { openIsLatest } from './table/open-is-latest.ts';
import { surrogateKeyUnique } from './table/surrogate-key-unique.ts';
import { uniqueStart } from './table/unique-start.ts';

/** Every check of a single run, in the order in which reports list them. Where several roots remain, the first one leads. */
export const CHECKS: readonly Check[] = [
  keyNotNull,
  oneRowPerKey,
  boundsValid,
  uniqueStart,
  oneOpenVersion,
  noOverlap,
  contiguous,
  openIsLatest,
  currentFlag,
  noRepeat,
  surrogateKeyUnique,
  hashMatches,
  exclusiveEnd,
  currentValue,
  previousValue,
  historyComplete,
  openCount,
  versionCount,
  content,
  untracked,
  currentOnEveryRow,
  noFanOut,
  coverage,
  asOfValue,
  reconciles,
  acceptsLegalInput,
  rejectsCleanly,
  schemaKept,
  noInventedKey,
  untouchedKeys,
  closedStaysClosed,
  clockInjected,
  surrogateKeyStable,
];

/** Those that deliver the same batches twice. Reports list them after the others. */
export const REPETITION_CHECKS: readonly RepetitionCheck[] = [
  idempotent,
  orderIndependent,
  deterministic,
  batching,
  crashSafe,
  resumes,
];

export const ALL_CHECKS: readonly CheckWords[] = [...CHECKS, ...REPETITION_CHECKS];

export const CHECK_IDS: readonly string[] = ALL_CHECKS.map(({ id }) => id);

export function checkById(id: string): Check {
  const check = CHECKS.find((candidate) => candidate.id === id);
  if (check === undefined) throw new Error(`There is no check ${id}.`);
  return check;
}
