import type { Entry } from './entry.ts';
import { type Expression, express } from './express.ts';
import { type Judged, judgeAll } from './judging.ts';

/** What became of an entry. `holds`: the oracles and checks call the right dimension right, and the wrong one wrong. */
export type Outcome =
  | { readonly status: 'holds' | 'fails'; readonly entry: Entry; readonly judged: Judged }
  | { readonly status: 'unexpressed'; readonly entry: Entry; readonly reason: string };

/** In the order of the entries. */
export async function examine(entries: readonly Entry[]): Promise<readonly Outcome[]> {
  const attempts = entries.map(express);
  const expressions = attempts.filter((one): one is Expression => 'feed' in one);
  const judged = new Map((await judgeAll(expressions)).map((one) => [one.expression, one]));
  return attempts.map((one): Outcome => {
    const { entry } = one;
    if ('reason' in one) return { status: 'unexpressed', entry, reason: one.reason };
    const result = judged.get(one)!;
    if ('reason' in result) return { status: 'unexpressed', entry, reason: result.reason };
    const holds = result.disagreement === null && result.lead !== null;
    return { status: holds ? 'holds' : 'fails', entry, judged: result };
  });
}
