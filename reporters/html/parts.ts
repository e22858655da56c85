import type { CaseResult, CheckResult, Count, Finding, Problem, Report } from '../../src/runner/report.ts';
import { shortened, visible, visibleLines } from '../text/escape.ts';
import { illegalSentence, randomSentence, scopeSentence } from '../text/histories.ts';
import { totalParts, verdictText } from '../text/totals.ts';
import { DIFFERS } from '../text/version-table.ts';
import {
  BOUNDARY_CASES,
  capital,
  countedUnit,
  freshFindings,
  placeOf,
  splitFindings,
  verdictSentence,
} from '../text/words.ts';
import { counted } from '../text/wrap.ts';
import { cell, type Element, el, table } from './element.ts';
import { findingArticle } from './finding.ts';

/** Findings that are shown whole, and those that get a line; pages that are longer open slowly. */
const WHOLE_LIMIT = 50;
const LINE_LIMIT = 500;
/** Last lines of an error stream. */
const STDERR_LIMIT = 100;

/** Verdict, totals, and where to go. */
export function headPart(report: Report): Element {
  const { verdict, implementation, contractAssumed, notes, findings } = report;
  const words = { pass: 'PASS', fail: 'FAIL', inconclusive: 'INCONCLUSIVE' };
  const first = firstFailure(report);
  return el(
    'header',
    { id: 'top' },
    el(
      'h1',
      null,
      el('span', { class: `verdict ${verdict}` }, `${verdictText(verdict).slice(0, 1)} ${words[verdict]}`),
      ' ',
      visible(implementation.name),
    ),
    el('p', { class: 'sentence' }, `${capital(verdictSentence(report))}.`),
    el('ul', { class: 'totals' }, ...totalParts(report).map((part) => el('li', null, part))),
    el(
      'p',
      null,
      contractAssumed
        ? 'No contract was declared: it was judged by strict.'
        : 'It was judged by the contract that is declared.',
      ...notes.map((note) => ` ${visible(note)}`),
    ),
    first === null
      ? null
      : el('p', null, el('a', { class: 'jump', href: first }, 'Jump to the first failure')),
    el(
      'nav',
      { 'aria-label': 'Parts of this report' },
      el(
        'ul',
        null,
        ...partNames(report).map(([id, name]) => el('li', null, el('a', { href: `#${id}` }, name))),
      ),
    ),
    findings.length === 0
      ? null
      : el('noscript', null, el('p', { class: 'faint' }, 'All is shown without script too.')),
  );
}

function firstFailure(report: Report): string | null {
  if (freshFindings(report).length > 0) return '#finding-1';
  if (report.problems.length > 0) return '#problems';
  return report.verdict === 'pass' ? null : '#checks';
}

function partNames(report: Report): [id: string, name: string][] {
  const fresh = freshFindings(report).length;
  return [
    ['cases', 'Cases'],
    ...(report.problems.length === 0
      ? []
      : [['problems', `Problems (${report.problems.length})`] as [string, string]]),
    ...(fresh === 0 ? [] : [['findings', `Findings (${fresh})`] as [string, string]]),
    ['tried', 'What was tried'],
    ['checks', 'Checks'],
    ['contract', 'Contract'],
    ['environment', 'Environment'],
  ];
}

export function section(id: string, title: string, ...children: (Element | null)[]): Element {
  return el(
    'section',
    { id, 'aria-labelledby': `${id}-title` },
    el('h2', { id: `${id}-title` }, title),
    ...children,
  );
}

/** The seven boundary cases as a table; the others as one that is folded. */
export function casesPart({ cases }: Report): Element {
  const boundary = BOUNDARY_CASES.flatMap((id) => cases.filter((result) => result.id === id));
  const further = cases.filter(({ id }) => !BOUNDARY_CASES.includes(id));
  return section(
    'cases',
    'Cases',
    boundary.length === 0
      ? el('p', null, 'The boundary cases were not run.')
      : casesTable(boundary, 'The seven boundary cases'),
    further.length === 0
      ? null
      : el(
          'details',
          further.some(({ verdict }) => verdict === 'fail') ? { open: true } : null,
          el('summary', null, `Further cases (${further.length})`),
          casesTable(further, 'Further cases'),
        ),
  );
}

function casesTable(results: readonly CaseResult[], caption: string): Element {
  return table(
    {
      caption,
      headings: [
        'case',
        `${countedUnit(results)} expected`,
        `${countedUnit(results)} actual`,
        'open expected',
        'open actual',
        'verdict',
        'what it is about',
      ],
      rows: results.map((result) => [
        el('th', { scope: 'row' }, visible(result.id)),
        ...countCells(result.versions),
        ...countCells(result.open),
        verdictCell(result.verdict),
        el(
          'td',
          null,
          visible(result.title),
          result.skipReason === undefined ? '' : ` (skipped: ${visible(result.skipReason)})`,
        ),
      ]),
    },
    caption,
  );
}

function countCells(count: Count | null): Element[] {
  if (count === null) return [el('td', { class: 'number' }, '–'), el('td', { class: 'number' }, '–')];
  const differs = count.expected !== count.actual;
  return [
    el('td', { class: 'number' }, count.expected),
    el('td', { class: differs ? 'number differs' : 'number' }, `${differs ? DIFFERS : ''}${count.actual}`),
  ];
}

function verdictCell(verdict: CaseResult['verdict']): Element {
  return el('td', { class: `is-${verdict}` }, verdictText(verdict));
}

export function problemsPart({ problems }: Report): Element | null {
  if (problems.length === 0) return null;
  return section(
    'problems',
    `Problems (${problems.length})`,
    ...problems.slice(0, WHOLE_LIMIT).map(problemArticle),
  );
}

function problemArticle({ kind, message, feed, stderr = '' }: Problem): Element {
  const lines = stderr.trim() === '' ? [] : visibleLines(stderr).slice(-STDERR_LIMIT);
  return el(
    'article',
    { class: 'problem' },
    el('h3', null, `? ${visible(kind)}`),
    ...visibleLines(message).map((line) => el('p', { class: 'message' }, line)),
    feed === undefined ? null : el('p', { class: 'faint' }, `feed ${visible(feed)}`),
    lines.length === 0
      ? null
      : el(
          'pre',
          { tabindex: 0, role: 'group', 'aria-label': 'The end of its error stream' },
          lines.map((line) => shortened(line, 400)).join('\n'),
        ),
  );
}

/** The findings: some whole, more of them in a line each, and how many there are in all. */
export function findingsPart(report: Report, full: boolean): Element | null {
  const all = orderedFindings(report);
  if (all.length === 0) return null;
  const whole = full ? all : all.slice(0, WHOLE_LIMIT);
  const lines = all.slice(whole.length, whole.length + LINE_LIMIT);
  const rest = all.length - whole.length - lines.length;
  const { decisions, defects } = splitFindings(all);
  return section(
    'findings',
    `Findings (${all.length})`,
    el(
      'p',
      null,
      `${counted(defects.length, 'defect')} under every contract (✗), ${counted(decisions.length, 'decision')} that another option of the contract would explain (≈).`,
    ),
    ...whole.map((finding, index) =>
      findingArticle(finding, report, { number: index + 1, shown: whole.length }),
    ),
    all.length === whole.length
      ? null
      : el(
          'p',
          { class: 'cut' },
          `${whole.length} of ${all.length} findings are shown whole, ${lines.length} more in a line each${rest > 0 ? `, and ${rest} not at all` : ''}. The JSON report has them, and so has this page with --full.`,
        ),
    lines.length === 0 ? null : findingLines(lines),
  );
}

/** Defects first: they need no decision. Within each, as the report has them. */
function orderedFindings(report: Report): readonly Finding[] {
  const { decisions, defects } = splitFindings(freshFindings(report));
  return [...defects, ...decisions];
}

function findingLines(findings: readonly Finding[]): Element {
  return table(
    {
      caption: 'More findings',
      headings: ['check', 'where', 'message'],
      rows: findings.map((finding) => [
        el('th', { scope: 'row' }, visible(finding.check)),
        el('td', null, placeOf(finding).join(' · ')),
        el('td', null, shortened(visible(finding.message), 300)),
      ]),
    },
    'More findings',
  );
}

/** The scope and the random part in words, what became of earlier findings, and the situations that were reached. */
export function triedPart(report: Report): Element {
  const { stored, known, coverage } = report;
  const sentences = [
    scopeSentence(report) ?? 'Scope: no small histories were run.',
    randomSentence(report) ?? 'Random: no random histories were run.',
    ...(report.illegal ?? []).map((one) => `Illegal input: ${illegalSentence(one)}`),
    ...stored.map(({ id, outcome, reason }) => {
      const words = { fixed: 'fixed', fails: 'still fails', 'cannot-replay': 'cannot be replayed' }[outcome];
      return `Stored: ${visible(id)} ${words}${reason === undefined ? '' : `: ${visible(reason)}`}.`;
    }),
    ...known.map(({ id, reason, gone }) =>
      gone
        ? `Known: ${visible(id)} is gone: remove its line from the configuration.`
        : `Known: ${visible(id)} is accepted: ${visible(reason)}`,
    ),
  ];
  const situations = Object.entries(coverage);
  return section(
    'tried',
    'What was tried',
    el('ul', null, ...sentences.map((text) => el('li', null, text))),
    situations.length === 0
      ? null
      : el(
          'details',
          null,
          el(
            'summary',
            null,
            `Situations reached (${situations.filter(([, count]) => count > 0).length} of ${situations.length})`,
          ),
          table(
            {
              caption: 'Situations, and how often each was reached',
              headings: ['situation', 'times'],
              rows: situations.map(([id, count]) => [
                el('th', { scope: 'row' }, visible(id)),
                el('td', { class: 'number' }, count === 0 ? '0: never reached' : count),
              ]),
            },
            'Situations',
          ),
        ),
  );
}

export function checksPart({ checks }: Report): Element {
  const held = checks.filter(({ verdict }) => verdict === 'pass').length;
  const skipped = checks.filter(({ verdict }) => verdict === 'skipped').length;
  return section(
    'checks',
    'Checks',
    el('p', null, `${held} of ${checks.length} held, ${skipped} skipped.`),
    checks.length === 0
      ? null
      : el(
          'details',
          held + skipped < checks.length ? { open: true } : null,
          el('summary', null, 'Each check'),
          checksTable(checks),
        ),
  );
}

function checksTable(checks: readonly CheckResult[]): Element {
  return table(
    {
      caption: 'Checks, how often each was put to the test, and the keys that violate it',
      headings: ['check', 'verdict', 'severity', 'exercised', 'violations', 'note'],
      rows: checks.map(({ id, verdict, severity, exercised, count, skipReason }) => [
        el('th', { scope: 'row' }, visible(id)),
        verdictCell(verdict),
        el('td', null, severity),
        el('td', { class: 'number' }, exercised),
        el('td', { class: count > 0 ? 'number differs' : 'number' }, count),
        el('td', null, skipReason === undefined ? '' : visible(skipReason)),
      ]),
    },
    'Checks',
  );
}

/** The contract, field by field, with the decisions that would explain a finding. */
export function contractPart(report: Report): Element {
  const decisions = freshFindings(report).flatMap(({ decision }) => (decision === null ? [] : [decision]));
  const { columns, ...fields } = report.contract;
  return section(
    'contract',
    'Contract',
    el('p', null, report.contractAssumed ? 'Nobody declared one, so strict was taken.' : 'As declared.'),
    el(
      'details',
      decisions.length > 0 ? { open: true } : null,
      el('summary', null, 'Each field'),
      table(
        {
          caption: 'Decisions of the contract',
          headings: ['field', 'option', 'note'],
          rows: Object.entries(fields).map(([field, option]) => [
            el('th', { scope: 'row' }, visible(field)),
            el('td', null, plain(option)),
            el(
              'td',
              null,
              [...new Set(decisions.filter((one) => one.field === field).map((one) => one.option))]
                .map((one) => `≈ ${visible(one)} would explain a finding`)
                .join(', '),
            ),
          ]),
        },
        'Contract',
      ),
      typeof columns !== 'object' || columns === null
        ? null
        : table(
            {
              caption: 'Columns by their roles',
              headings: ['role', 'columns'],
              rows: Object.entries(columns).map(([role, value]) => [
                el('th', { scope: 'row' }, visible(role)),
                el('td', null, plain(value)),
              ]),
            },
            'Columns',
          ),
    ),
  );
}

function plain(value: unknown): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(plain).join(', ');
  return typeof value === 'string' ? visible(value) : visible(JSON.stringify(value));
}

export function environmentPart({ tool, run, implementation, environment, timings }: Report): Element {
  const ci = environment?.ci ?? null;
  const rows: [string, string | null | undefined][] = [
    ['scd2check', tool.version],
    ['run', run.id],
    ['started', run.started],
    ['command', run.command],
    ['implementation', `${implementation.name} (${implementation.kind})`],
    ['Node', environment?.node],
    ['platform', environment?.platform],
    ['CI', ci?.name],
    ['commit', ci?.commit],
    ['branch', ci?.branch],
    ['build', ci?.build],
    ['time', `${timings.totalMs} ms, ${timings.implementationMs} ms in the implementation`],
    ...Object.entries(timings.parts).map(([part, ms]): [string, string] => [`time of ${part}`, `${ms} ms`]),
  ];
  return section(
    'environment',
    'Environment',
    table(
      {
        caption: 'Where and how it was run',
        hideCaption: true,
        headings: ['what', 'value'],
        rows: rows.flatMap(([name, value]) =>
          value == null ? [] : [[el('th', { scope: 'row' }, visible(name)), el('td', null, cell(value))]],
        ),
      },
      'Environment',
    ),
  );
}
