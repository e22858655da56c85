import { declareContract } from '/work/main/src/contract/declare.ts';
import { implementationOf, RIGHT } from '/work/main/test/mutants/base.ts';
import { runPart } from '/work/main/src/runner/packed-part.ts';
import { scopeFeeds } from '/work/main/src/feed/scope.ts';
import { randomFeed, batchFeeds } from '/work/main/src/feed/random.ts';
import { coveringFeed } from '/work/main/src/feed/covering.ts';
const lines = (o: object) => Object.entries(o).map(([name, value]) => ({ name, value, where: 't' }));
const contracts: Record<string, object>[] = [{}, { feed: 'delta', operation: 'op' }, {feed:'changes', operation:'op', sameInstant:'last', duplicates:'last'}, {late:'ignore'}, {lateEvidence:'dimension'}, {deletes:'marker-row', late:'reject', nullKey:'reject', duplicates:'reject', sameInstant:'reject', emptySnapshot:'reject'},
 {end:'inclusive', grain:'day', openMarker:'9999-12-31', untracked:'frozen', hash:'h', surrogateKey:'sk'}, {nullKey:'value', key:['a TEXT','b TEXT'], tracked:['c TEXT','d DOUBLE'], untracked:['x INTEGER']}, {reappearance:'bridge', untracked:'current', compare:'trim case-insensitive', keyCompare:'case-insensitive'}, {firstStart:'1970-01-01', untracked: 'all', deletes:'ignore', sameInstant:'first', duplicates:'equal'}, {late:'never',emptySnapshot:'ignore', nullKey:'skip', sameInstant:'last', duplicates:'last'}, {feed:'changes', batchStates:'latest', operation:'op', late:'ignore', sequence:'seq', duplicates:'first'}, {feed:'delta', lateEvidence:'dimension', operation:'op'}];
for (const c of contracts) {
  const { contract } = declareContract([lines(c)]);
  const impl = implementationOf('right', RIGHT);
  for (const [name, feeds] of [['scope', scopeFeeds(contract, 3)], ['random', (function* () { yield coveringFeed(contract); yield* batchFeeds(contract, 1); for (let i = 0; i < 3; i++) yield randomFeed(contract, { seed: 1, index: i, keys: 80 }); })()]] as const) {
    const r = await runPart(feeds, { implementation: impl, contract, checks: null, stop: () => false, progress: () => {} });
    console.log(JSON.stringify(c), name, r.histories, Object.values(r.timings).map(Math.round).join('/'), r.failure?.failure.message ?? '', JSON.stringify(r.tallies.flat().filter((t) => t.count).map((t) => [t.id, t.count])), r.failing[0] && JSON.stringify({ k: r.failing[0].key, s: r.failing[0].step, f: r.failing[0].feed.id }));
  }
}
