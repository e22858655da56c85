import type { Contract } from '../contract/contract.ts';
import type { Feed } from '../feed/feed.ts';
import type { Examined, Examiner } from './examine.ts';
import type { FailingHistory } from './pack.ts';
import { ballastOf, keysOf, project } from './project.ts';

/** What an isolation came to. */
export type Isolated =
  | { readonly kind: 'found'; readonly examined: Examined }
  /** It answers differently from time to time. */
  | { readonly kind: 'unstable'; readonly feed: Feed; readonly answers: readonly (readonly string[])[] }
  /** It does not fail again, not even whole. */
  | { readonly kind: 'vanished'; readonly feed: Feed };

/**
 * Takes the failing history out of its packed feed: its key alone, three times, so that an implementation that answers differently is told
 * from one that is wrong. If the key alone does not fail, it needs others (keys that leak into each other): half of them are taken away
 * again and again. Where it is no key that was sent (a batch as a whole, or a key that no batch delivered), any one key may do, or none.
 */
export async function isolate(
  examiner: Examiner,
  contract: Contract,
  history: FailingHistory,
): Promise<Isolated> {
  const feed = { ...history.feed, batches: history.feed.batches.slice(0, history.step + 1) };
  const keys = keysOf(feed, contract);
  if (history.key === null || !keys.includes(history.key)) {
    const small = await withFewKeys(examiner, contract, feed, history.check);
    return small === null ? bisect(examiner, contract, feed, history) : again(examiner, small);
  }
  const alone = project(feed, contract, new Set([history.key]));
  const first = await again(examiner, alone);
  if (first.kind !== 'vanished') return first;
  return bisect(examiner, contract, feed, history);
}

/** Keys that are tried alone. */
const FEW = 8;

/** The feed with none of its keys, or with one, if the check fails there too. */
async function withFewKeys(
  examiner: Examiner,
  contract: Contract,
  feed: Feed,
  check: string,
): Promise<Feed | null> {
  const ballast = ballastOf(contract);
  const keys = keysOf(feed, contract).filter((key) => !ballast.has(key));
  const sets = [[], ...keys.slice(0, FEW).map((key) => [key])];
  const tried = await examiner.examine(sets.map((set) => project(feed, contract, new Set(set))));
  return tried.find(({ roots, illegal }) => !illegal && roots.includes(check))?.feed ?? null;
}

async function again(examiner: Examiner, feed: Feed): Promise<Isolated> {
  const three = await examiner.examine([1, 2, 3].map((run) => ({ ...feed, id: `${feed.id}/${run}` })));
  const failing = three.filter(({ roots }) => roots.length > 0);
  if (failing.length === 0) return { kind: 'vanished', feed };
  const answers = three.map(({ roots }) => roots);
  if (new Set(answers.map((roots) => roots.join())).size > 1) return { kind: 'unstable', feed, answers };
  return { kind: 'found', examined: three[0]! };
}

async function bisect(
  examiner: Examiner,
  contract: Contract,
  feed: Feed,
  { key }: FailingHistory,
): Promise<Isolated> {
  const wanted = key === null ? [] : [key];
  let others = keysOf(feed, contract).filter((other) => other !== key);
  const whole = await again(examiner, feed);
  if (whole.kind !== 'found') return whole;
  let best: Examined = whole.examined;
  while (others.length > 1) {
    const middle = Math.ceil(others.length / 2);
    const halves = [others.slice(0, middle), others.slice(middle)];
    const tried = await examiner.examine(
      halves.map((half) => project(feed, contract, new Set([...wanted, ...half]))),
    );
    const failing = tried.findIndex(({ roots }) => roots.length > 0);
    if (failing < 0) return { kind: 'found', examined: best };
    best = tried[failing]!;
    others = halves[failing]!;
  }
  return { kind: 'found', examined: best };
}
