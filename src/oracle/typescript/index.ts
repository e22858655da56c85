import type { Cell } from '../../contract/columns.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Feed } from '../../feed/feed.ts';
import type { ExpectedKey, ExpectedStep, ExpectedVersion } from '../expected.ts';
import { accept, remember } from './accept.ts';
import { answersDiffer, type Dimension, EMPTY_DIMENSION, loadDimension } from './evidence.ts';
import { type Content, emptyPast, type History, type Observation } from './history.ts';
import { settleBetween } from './observe.ts';
import { readBatch } from './rows.ts';
import { heldCurrent, heldVersions, valuesBeside } from './types.ts';
import { isUntrackedJudged, rightDeliveries } from './untracked.ts';
import { foldCells } from './values.ts';
import { foldVersions, type Version } from './versions.ts';

export { foldState } from './values.ts';

/*
 * The plain oracle: docs/semantics.md, rule by rule, one key at a time.
 *
 *   rows.ts      rule 0     what a row says                 evidence.ts   rule 6   what a dimension alone would say
 *   accept.ts    rules 1, 3 which batches count, lateness   untracked.ts  rule 7   which untracked values are right
 *   observe.ts   rules 2, 4 observations, one an instant    values.ts     rule 0   when two values are equal
 *   versions.ts  rule 5     observations to versions        types.ts      rule 8   which rows a type of dimension has
 *   history.ts              the words they share
 *
 * Batches are taken in arrival order, and the observations of each key kept. After each batch every key is folded
 * anew from all its observations; nothing of an earlier answer is used again, except that what was once ambiguous
 * stays so. It is made to be checked by reading, not to be fast: the DuckDB oracle is the fast one.
 */

/** A version with all untracked states that are right on it. */
export interface JudgedVersion extends ExpectedVersion {
  /** Folded, each once; null where rule 7 does not judge, or nothing is untracked. */
  readonly untrackedRight: readonly (readonly Cell[])[] | null;
}

export interface JudgedKey extends ExpectedKey {
  readonly versions: readonly JudgedVersion[];
  readonly current: JudgedVersion | null;
  /** Where evidence is lost: what an implementation would hold that knows its own dimension alone. Null elsewhere. */
  readonly alone: Alone | null;
}

/** What a dimension alone would show of a key. */
export interface Alone {
  readonly versions: readonly Omit<ExpectedVersion, 'untracked'>[];
  readonly current: Omit<ExpectedVersion, 'untracked'> | null;
}

export interface JudgedStep extends ExpectedStep {
  readonly keys: readonly JudgedKey[];
}

/** What the dimension should hold after each batch of the feed, in order. */
export function expectFeed(contract: Contract, feed: Feed): JudgedStep[] {
  const log = emptyPast();
  let dimension = EMPTY_DIMENSION;
  return feed.batches.map((batch, position) => {
    const arrival = readBatch(contract, batch, position);
    const acceptance = accept(contract, log, arrival);
    if (acceptance.outcome === 'counts') remember(contract, log, acceptance);

    const loaded = contract.lateEvidence === 'dimension' ? loadDimension(contract, dimension, arrival) : null;
    dimension = loaded?.dimension ?? dimension;
    const isForgiven = (key: string, versions: readonly Version[]) => {
      if (loaded === null) return false;
      if ((loaded.outcome === 'counts') !== (acceptance.outcome === 'counts')) return true;
      return answersDiffer(versions, loaded.dimension.versions.get(key) ?? []);
    };

    const keys = [...log.histories].map(([key, history]) => {
      const versions = answer(contract, history);
      const forgiven = isForgiven(key, versions);
      const alone = forgiven ? aloneOf(contract, dimension.versions.get(key) ?? []) : null;
      return { ...judge(contract, history, versions, forgiven), alone };
    });
    return {
      batch: position,
      outcome: acceptance.outcome === 'rejected' ? 'rejected' : 'applied',
      keys: [...keys, ...unnamedKeys(contract, dimension, log.histories)],
    };
  });
}

/** Rules 4 and 5 for one key, at this prefix. */
function answer(contract: Contract, history: History): readonly Version[] {
  const settled = settleBetween(contract, history.observations);
  history.isAmbiguous ||= settled.isAmbiguous;
  return foldVersions(contract, settled.observations);
}

/** Keys that only a dimension-only answer has, because it could not know that they came late: forgiven. */
function unnamedKeys(
  contract: Contract,
  dimension: Dimension,
  named: ReadonlyMap<string, History>,
): readonly JudgedKey[] {
  return [...dimension.versions]
    .filter(([key]) => !named.has(key))
    .map(([, versions]) => ({
      key: versions[0]!.content.key,
      versions: [],
      current: null,
      forgiven: true,
      ambiguous: false,
      alone: aloneOf(contract, versions),
    }));
}

function aloneOf(contract: Contract, versions: readonly Version[]): Alone {
  const plain = (version: Version): Omit<ExpectedVersion, 'untracked'> => ({
    key: version.content.key,
    tracked: version.content.tracked,
    validFrom: version.from,
    validTo: version.to,
    isDeleted: version.isDeleted,
    beside: valuesBeside(contract, versions, version),
  });
  const current = heldCurrent(contract, versions);
  return {
    versions: heldVersions(contract, versions).map(plain),
    current: current === null ? null : plain(current),
  };
}

function judge(
  contract: Contract,
  history: History,
  versions: readonly Version[],
  forgiven: boolean,
): Omit<JudgedKey, 'alone'> {
  const ambiguous = history.isAmbiguous;
  const judged = (own: Contract) => (version: Version) => ({
    ...judgeVersion(own, version, history.observations, !forgiven && !ambiguous),
    beside: valuesBeside(contract, versions, version),
  });
  const current = heldCurrent(contract, versions);
  return {
    key: history.key,
    versions: heldVersions(contract, versions).map(judged(contract)),
    // What is overwritten holds the latest, whatever the contract says of versions.
    current: current === null ? null : judged({ ...contract, untracked: 'current' })(current),
    forgiven,
    ambiguous,
  };
}

function judgeVersion(
  contract: Contract,
  version: Version,
  observations: readonly Observation[],
  isCertain: boolean,
): Omit<JudgedVersion, 'beside'> {
  const { content, from, to, isDeleted } = version;
  const right = rightDeliveries(contract, version, observations).flatMap((one) => [
    one.content!,
    ...one.alsoDelivered,
  ]);
  const hasUntracked = contract.columns.untracked.length > 0;
  const isJudged = isCertain && hasUntracked && isUntrackedJudged(contract, version, observations);
  return {
    key: content.key,
    tracked: content.tracked,
    untracked: right[0]!.untracked,
    validFrom: from,
    validTo: to,
    isDeleted,
    untrackedRight: isJudged ? distinctUntracked(contract, right) : null,
  };
}

function distinctUntracked(contract: Contract, contents: readonly Content[]): readonly (readonly Cell[])[] {
  const byState = new Map(contents.map((content) => [content.untrackedState, content.untracked]));
  return [...byState.values()].map((cells) => foldCells(cells, contract.columns.untracked, contract.compare));
}
