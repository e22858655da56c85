import type { CaseFeed } from '../../cases/packing.ts';
import type { GroupVerdict, Members } from './judge-group.ts';
import type { Finding } from './report.ts';

/** Which keys of each feed are whose case's. */
export function memberKeys(feeds: readonly CaseFeed[]): Members {
  return new Map(
    feeds.map(({ feed, members }) => [
      feed.id,
      members.map(({ sent, keys }) => ({ id: sent.theCase.id, keys })),
    ]),
  );
}

/** The verdict without what was found in some feeds. */
export function withoutFeeds(verdict: GroupVerdict, gone: ReadonlySet<string>): GroupVerdict {
  const positions = new Set(verdict.feeds.flatMap(({ feed }, index) => (gone.has(feed.id) ? [index] : [])));
  return {
    tallies: verdict.tallies.map((tally) => {
      const violations = tally.violations.filter(({ feed }) => !positions.has(feed));
      return { ...tally, violations, count: violations.length };
    }),
    findings: verdict.findings.filter(({ feed }) => !gone.has(feed)),
    taken: verdict.taken,
    feeds: verdict.feeds.filter(({ feed }) => !gone.has(feed.id)),
    masks: verdict.masks,
  };
}

/** A pack in which several cases fail follows no option, so decisions are those that were found beside the cases that were run alone. */
export function decidedAgain(verdict: GroupVerdict, judged: readonly GroupVerdict[]): GroupVerdict {
  const place = ({ feed, check }: Finding) => `${feed} ${check}`;
  const decisions = new Map(
    judged.flatMap(({ findings }) => findings.map((finding) => [place(finding), finding.decision] as const)),
  );
  return {
    ...verdict,
    findings: verdict.findings.map((finding) => ({
      ...finding,
      decision: decisions.get(place(finding)) ?? finding.decision,
    })),
  };
}
