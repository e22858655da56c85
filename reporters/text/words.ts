import type { Decision } from '../../src/contract/contract.ts';
import type { ImplementationKind } from '../../src/plugins/implementation.ts';
import type { CaseResult, Finding, Money, Report } from '../../src/runner/report.ts';
import { showCell, showKey } from './cell.ts';
import { visible } from './escape.ts';
import { type InstantFormat, instantFormat } from './instants.ts';
import { counted } from './wrap.ts';

/** Sentences that more than one reporter says. */

/** The seven cases that come first, in their order. */
export const BOUNDARY_CASES: readonly string[] = [
  'no-change',
  'segment-change',
  'address-only',
  'reopen-a-b-a',
  'twice-one-day',
  'late-arrival',
  'deleted',
];

/** Where a contract's field is declared for a kind of implementation, and the line that declares it. */
export function decisionLine(kind: ImplementationKind, decision: Decision): { where: string; line: string } {
  const [field, option] = [decision.field, visible(decision.option)];
  const isList = field === 'compare' || field === 'keyCompare';
  const quoted = (quote: string) => {
    const text = quote + option.replaceAll(quote, `\\${quote}`) + quote;
    return isList ? `[${text}]` : text;
  };
  switch (kind) {
    case 'sql':
      return { where: 'to the head of the script', line: `-- scd2check:${field} ${option}` };
    case 'function':
      return { where: 'to the module', line: `export const contract = { ${field}: ${quoted("'")} };` };
    case 'python':
      return { where: 'to the file', line: `SCD2CHECK = {"${field}": ${quoted('"')}}` };
    case 'command':
    case 'dbt':
      return { where: 'to scd2check.config.ts', line: `contract: { ${field}: ${quoted("'")} },` };
  }
}

/** `3 of 12 facts: 300.00 moves from A to UNKNOWN`. */
export function moneySentence(money: Money): string {
  const facts = `${money.facts} of ${counted(money.total, 'fact')}`;
  const move = (item: Money['moves'][number]) => `from ${member(item.from)} to ${member(item.to)}`;
  const [first, ...others] = money.moves;
  if (first === undefined) return `${facts}: ${money.moved.toFixed(2)} lands elsewhere`;
  if (others.length === 0) return `${facts}: ${first.amount.toFixed(2)} moves ${move(first)}`;
  const moves = money.moves.slice(0, 5).map((item) => `${item.amount.toFixed(2)} ${move(item)}`);
  const more = money.moves.length > 5 ? [`and ${money.moves.length - 5} more`] : [];
  return `${facts}: ${money.moved.toFixed(2)} moves: ${[...moves, ...more].join(', ')}`;
}

/** A value of the attribute that a total is by. It comes as text, NULL too. */
function member(text: string): string {
  return text === 'NULL' ? text : showCell(text);
}

/** Where a finding was seen: its case or feed, key and batch. */
export function placeOf(finding: Finding): string[] {
  const feed = finding.case === undefined ? `feed ${visible(finding.feed)}` : `case ${visible(finding.case)}`;
  const key = finding.key === null ? [] : [showKey(finding.key)];
  return [feed, ...key, `after batch ${finding.step + 1}`];
}

/** What the figures of cases count: versions, or the rows of a table that has none. */
export function countedUnit(results: readonly CaseResult[]): 'versions' | 'rows' {
  return results.some(({ counts }) => counts === 'rows') ? 'rows' : 'versions';
}

/** The shortest form for all the instants that a finding shows. */
export function findingInstants(finding: Finding): InstantFormat {
  const rows = [...finding.expected, ...finding.actual];
  const bounds = rows.flatMap((row) => [row.validFrom, row.validTo]).filter((instant) => instant !== null);
  return instantFormat([...bounds, ...finding.counterexample.batches.map((batch) => batch.asOf)]);
}

/** Findings that a team may have meant, and those that no contract allows. */
export function splitFindings(findings: readonly Finding[]): { decisions: Finding[]; defects: Finding[] } {
  return {
    decisions: findings.filter((finding) => finding.decision !== null),
    defects: findings.filter((finding) => finding.decision === null),
  };
}

/** Findings that the configuration does not accept: those that a run fails for. */
export function freshFindings({ findings, known }: Report): readonly Finding[] {
  return known.length === 0 ? findings : findings.filter(({ id }) => !known.some((one) => one.id === id));
}

/** Why a check that failed has no finding of its own: it follows from another's. */
export function rootOf(check: string, findings: readonly Finding[]): Finding | undefined {
  return findings.find((finding) => finding.implies.includes(check));
}

/** Why the run has this verdict, in a sentence. */
export function verdictSentence(report: Report): string {
  switch (report.verdict) {
    case 'pass':
      return report.findings.length > 0
        ? `nothing is wrong but what the configuration accepts (${report.findings.length})`
        : 'every selected check was exercised and held';
    case 'inconclusive':
      return 'not a wrong answer, but none that could be judged';
    case 'fail': {
      const findings = freshFindings(report);
      const broken = (report.illegal ?? []).filter(({ outcome }) => outcome === 'broken').length;
      if (findings.length === 0 && broken > 0)
        return `${counted(broken, 'kind')} of illegal input ${broken === 1 ? 'breaks' : 'break'} the table`;
      const { decisions, defects } = splitFindings(findings);
      if (!report.contractAssumed || decisions.length === 0) return findingsSentence(findings);
      const differing = `${counted(decisions.length, 'decision')} that ${decisions.length === 1 ? 'differs' : 'differ'} from strict`;
      return defects.length === 0 ? differing : `${counted(defects.length, 'defect')}, ${differing}`;
    }
  }
}

/** `3 findings: no-overlap, open-count`. */
function findingsSentence(findings: readonly Finding[]): string {
  const checks = [...new Set(findings.map(({ check }) => visible(check)))];
  const more = checks.length > 3 ? ', …' : '';
  const named = checks.length === 0 ? '' : `: ${checks.slice(0, 3).join(', ')}${more}`;
  return counted(findings.length, 'finding') + named;
}

/** With a capital letter, as a sentence begins. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
