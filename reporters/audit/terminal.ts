import type { AuditCheck, AuditFinding, AuditReport } from '../../src/audit/report.ts';
import { indented, inner, labelled, type Page, proseWidth, spaced } from '../terminal/page.ts';
import { terminalStyle } from '../terminal/style.ts';
import { disarmLine, visible, visibleLines } from '../text/escape.ts';
import { groupBy } from '../text/group.ts';
import { fitTable } from '../text/table.ts';
import { counted, joinParts, wrap } from '../text/wrap.ts';
import type { RenderAudit } from './index.ts';
import { auditSentence, factLines, figureLines, keyText, rowTable, thousands } from './words.ts';

/** The audit for people: the verdict, each check with its count, what was found, and the verdict again. */
export const render: RenderAudit = (report, { width, color, full, quiet }) => {
  const page: Page = { width: Math.max(width, 32), style: terminalStyle(color), full };
  const lines = quiet ? verdict(report, page, `${visible(report.table.name)}: `) : whole(report, page);
  return `${lines.map(disarmLine).join('\n')}\n`;
};

function whole(report: AuditReport, page: Page): string[] {
  const { table } = report;
  const size = [
    `${thousands(table.rows)} rows`,
    `${thousands(table.keys)} keys`,
    `${thousands(table.open)} open`,
    `${thousands(table.gaps)} gaps`,
  ];
  const prose = (texts: readonly string[]) =>
    texts.flatMap((text) => wrap(visible(text), proseWidth(page), '  '));
  return spaced([
    [
      ...joinParts([`scd2check ${report.tool.version}`, visible(table.name), ...size], proseWidth(page)),
      ...prose(report.notes).map(page.style.dim),
      ...verdict(report, page),
    ],
    checks(report, page),
    ...[...groupBy(report.findings, ({ check }) => check)].map(([check, found]) =>
      group(report.checks.find(({ id }) => id === check)!, found, page),
    ),
    report.facts === null
      ? []
      : [page.style.strong(`Facts: ${visible(report.facts.name)}`), ...indented(factLines(report.facts))],
    previous(report, page),
    prose(report.notices.map((notice) => `Notice: ${notice}`)).map(page.style.warn),
    prose(report.problems.map(({ message }) => message)),
    [...verdict(report, page), ...joinParts(totals(report), proseWidth(page))],
  ]);
}

function verdict(report: AuditReport, page: Page, before = ''): string[] {
  const { good, bad, warn, strong } = page.style;
  const paint = { pass: good, fail: bad, inconclusive: warn }[report.verdict];
  const word = report.verdict.toUpperCase();
  const [first, ...rest] = wrap(`${word}  ${before}${auditSentence(report)}`, proseWidth(page), '  ');
  return [paint(strong(word)) + first!.slice(word.length), ...rest];
}

const SIGNS = { pass: '✓', fail: '✗', warn: '!', follows: '·', inconclusive: '?', skipped: '-' } as const;

function checks(report: AuditReport, page: Page): string[] {
  const { style } = page;
  const paints = {
    pass: style.good,
    fail: style.bad,
    warn: style.warn,
    follows: style.dim,
    inconclusive: style.warn,
    skipped: style.dim,
  };
  const columns = [
    { heading: 'check', keep: true },
    { heading: 'verdict', keep: true },
    { heading: 'violations', align: 'right', keep: true },
    { heading: 'new', align: 'right', keep: true },
    { heading: 'keys', align: 'right', keep: true },
    { heading: 'tested', align: 'right', keep: true },
  ] as const;
  const applying = report.checks.filter(({ verdict: one }) => one !== 'skipped');
  const rows = applying.map((check) => [
    { text: check.id },
    { text: `${SIGNS[check.verdict]} ${check.verdict}`, paint: paints[check.verdict] },
    { text: thousands(check.count) },
    { text: thousands(check.fresh) },
    { text: thousands(check.keys) },
    { text: thousands(check.exercised) },
  ]);
  const skipped = report.checks
    .filter(({ skipReason }) => skipReason !== undefined)
    .flatMap(({ id, skipReason }) =>
      wrap(`- ${id} skipped: ${visible(skipReason!)}`, proseWidth(page), '  '),
    );
  return [...fitTable({ columns, rows }, page.width, style), ...skipped.map(style.dim)];
}

function group(check: AuditCheck, found: readonly AuditFinding[], page: Page): string[] {
  const inside = inner(page);
  const more = check.leading - found.length;
  const heading = `${SIGNS[check.verdict]} ${check.id} (${thousands(check.leading)}): ${check.title}`;
  const repair = check.repair === undefined ? [] : visibleLines(check.repair);
  return [
    ...wrap(heading, proseWidth(page), '  ').map(page.style.strong),
    ...indented(
      spaced([
        ...found.map((finding) => [
          ...wrap(
            `${keyText(finding)}: ${visible(finding.message)}${finding.state === 'known' ? ' (known)' : ''}`,
            proseWidth(inside),
            '  ',
          ),
          ...indented(rowTable(finding, inside.width - 2, page.style)),
        ]),
        more > 0
          ? [page.style.dim(`… ${thousands(more)} more: --examples or --store-failures shows them`)]
          : [],
        repair.length === 0
          ? []
          : [...labelled('repair', 'not run; read it before you do', inside), ...indented(repair)],
      ]),
    ),
  ];
}

function previous({ previous: report }: AuditReport, page: Page): string[] {
  if (report === null) return [];
  const months = report.periods.map(({ month, versions }) => `${month} ${versions}`).join(', ');
  return [
    page.style.strong(`Against ${visible(report.name)}`),
    ...indented([
      `${thousands(report.closed)} closed versions then; ${thousands(report.changed)} changed, ${thousands(report.vanished)} vanished`,
      ...(months === ''
        ? []
        : wrap(`by the month in which they hold: ${months}`, proseWidth(page) - 2, '  ')),
      ...(report.figures === null ? [] : figureLines(report.figures)),
    ]),
  ];
}

function totals({ checks: all, findings, baseline, timings, table }: AuditReport): string[] {
  const applying = all.filter(({ verdict: one }) => one !== 'skipped');
  return [
    `${applying.filter(({ verdict: one }) => one === 'pass').length}/${applying.length} checks held`,
    `${counted(findings.length, 'finding')} shown`,
    ...(baseline === null
      ? []
      : [`baseline: ${baseline.new} new, ${baseline.known} known, ${baseline.resolved} resolved`]),
    `${thousands(table.suspects)} keys looked at closely`,
    `${(timings.totalMs / 1000).toFixed(2)} s`,
  ];
}
