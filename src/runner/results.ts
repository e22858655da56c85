import { CASES } from '../../cases/index.ts';
import type { CaseFeed } from '../../cases/packing.ts';
import { hasVersions } from '../contract/types.ts';
import { titleWithoutAnswer } from '../worksheet/worksheet.ts';
import { type GroupVerdict, mergeChecks } from './judge-group.ts';
import type { PlannedCase } from './planned-cases.ts';
import type { CaseResult, CheckResult, Finding } from './report.ts';
import { ILLEGAL } from './stored-part.ts';

export function caseResult(
  one: PlannedCase,
  verdicts: readonly GroupVerdict[],
  feeds: readonly CaseFeed[],
): CaseResult {
  const { id } = one.theCase;
  const none = { versions: null, open: null, findings: [] };
  if ('skip' in one)
    return { id, title: one.theCase.title, verdict: 'skipped', skipReason: one.skip, ...none };
  // Titles of cases say what is right of versions.
  const ofRows = !hasVersions(one.contract);
  const title = ofRows && isNamed(one.theCase.id) ? titleWithoutAnswer(one.theCase) : one.theCase.title;
  const sent = feeds.find(({ members }) => members.some((member) => member.sent === one));
  const judged = verdicts.flatMap((group) => group.feeds).find(({ feed }) => feed.id === sent?.feed.id);
  const counts = judged?.members.find((member) => member.id === id);
  if (judged?.illegal) return { id, title, verdict: 'skipped', skipReason: ILLEGAL, ...none };
  if (judged === undefined || counts === undefined) return { id, title, verdict: 'inconclusive', ...none };
  const whole = judged.steps === one.feed.batches.length;
  return {
    id,
    title,
    verdict: judged.failed ? 'fail' : whole ? 'pass' : 'inconclusive',
    ...(ofRows ? { counts: 'rows' as const } : {}),
    versions: counts.versions,
    open: counts.open,
    findings: judged.findings,
  };
}

function isNamed(id: string): boolean {
  return CASES.some((theCase) => theCase.id === id);
}

export function checkResults(
  verdicts: readonly GroupVerdict[],
  whole: boolean,
  selected: readonly string[] | null,
): CheckResult[] {
  return mergeChecks(verdicts.map(({ tallies }) => tallies))
    .filter(({ id }) => selected === null || selected.includes(id))
    .map(({ id, skipReason, exercised, count }) => {
      const base = { id, severity: 'error' as const, exercised, count };
      if (skipReason !== null) return { ...base, verdict: 'skipped' as const, skipReason };
      if (count > 0) return { ...base, verdict: 'fail' as const };
      if (exercised > 0) return { ...base, verdict: 'pass' as const };
      if (whole) return { ...base, verdict: 'inconclusive' as const };
      return { ...base, verdict: 'skipped' as const, skipReason: 'nothing that was run puts it to the test' };
    });
}

export function idsOf(findings: readonly Finding[], part: string): string[] {
  return findings.filter(({ feed }) => feed.startsWith(`${part}/`)).map(({ id }) => id);
}
