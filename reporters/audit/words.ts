import type {
  AuditFinding,
  AuditReport,
  AuditRow,
  FactsReport,
  RestatedFacts,
} from '../../src/audit/report.ts';
import { showCell } from '../text/cell.ts';
import { visible } from '../text/escape.ts';
import { instantFormat } from '../text/instants.ts';
import type { Style } from '../text/style.ts';
import { fitTable } from '../text/table.ts';
import { counted } from '../text/wrap.ts';

/** `FAIL`'s sentence: what is wrong with the table, in a line. */
export function auditSentence(report: AuditReport): string {
  const failed = report.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  const named = failed.map(({ id, fresh }) => `${id} ${thousands(fresh)}`).join(', ');
  switch (report.verdict) {
    case 'pass':
      return failed.length > 0
        ? `with warnings: ${named}`
        : 'every check that applies was exercised and held';
    case 'inconclusive':
      return 'not a wrong row, but not everything could be judged';
    case 'fail':
      return named;
  }
}

/** `12,345`. */
export function thousands(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function keyText({ key }: AuditFinding): string {
  if (key === null) return 'no key';
  return Object.entries(key)
    .map(([name, value]) => `${visible(name)} ${showCell(value)}`)
    .join(' · ');
}

/** The versions around a violation; `►` marks those that it names. */
export function rowTable({ rows }: AuditFinding, width: number, style: Style): string[] {
  if (rows.length === 0) return [];
  const names = Object.keys(rows[0]!.values);
  const bounds = rows.flatMap(({ validFrom, validTo }) => [validFrom, validTo]).filter(isInstant);
  const format = instantFormat(bounds);
  const bound = (value: string | null, absent: string) =>
    value === null ? absent : isInstant(value) ? format.full(value) : value;
  const columns = [
    { heading: '', keep: true },
    ...names.map((name) => ({ heading: visible(name), keep: true })),
    { heading: 'from', keep: true },
    { heading: 'to', keep: true },
    { heading: 'current' },
  ];
  const cells = (row: AuditRow) => [
    { text: row.marked ? '►' : ' ', paint: style.bad },
    ...names.map((name) => ({ text: showCell(row.values[name] ?? null) })),
    { text: bound(row.validFrom, 'missing') },
    { text: bound(row.validTo, 'open') },
    { text: row.isCurrent === null ? '–' : String(row.isCurrent) },
  ];
  return fitTable({ columns, rows: rows.map(cells) }, width, style);
}

function isInstant(value: string | null): value is string {
  return value !== null && !value.endsWith('infinity');
}

/** What the facts say, line by line. */
export function factLines({ facts, amount, fanOut, unknown, moves, keys, days }: FactsReport): string[] {
  const money = (value: number) => value.toFixed(2);
  return [
    `${counted(facts, 'fact')}, ${money(amount)} in all`,
    `fan-out: ${counted(fanOut.facts, 'fact')}, ${money(fanOut.amount)} too much`,
    `UNKNOWN: ${counted(unknown.facts, 'fact')}, ${money(unknown.amount)}`,
    ...moves.map(
      ({ attribute, once, joined }) =>
        `${visible(attribute)}: ${money(once)} counted once, ${money(joined)} as joined`,
    ),
    ...keys.map((one) => `key ${visible(one.key)}: ${counted(one.facts, 'fact')}, ${money(one.amount)}`),
    ...days.map((one) => `${one.day}: ${counted(one.facts, 'fact')}, ${money(one.amount)}`),
  ];
}

const FIGURES = 12;

/** What restated history does to the figures of the past, line by line. */
export function figureLines({ facts, amount, months, moves }: RestatedFacts): string[] {
  if (facts === 0) return ['no fact of the past belongs to another attribute now'];
  const shown = moves.slice(0, FIGURES);
  return [
    `${counted(facts, 'fact')} of the past, ${amount.toFixed(2)}, ${facts === 1 ? 'belongs' : 'belong'} to other attributes now`,
    ...months
      .slice(0, FIGURES)
      .map((one) => `${one.month}: ${counted(one.facts, 'fact')}, ${one.amount.toFixed(2)}`),
    ...shown.map(
      ({ month, attribute, from, to, amount: moved }) =>
        `${month}, ${visible(attribute)}: ${moved.toFixed(2)} from ${visible(from)} to ${visible(to)}`,
    ),
  ];
}
