import { type Contract, grainMicros } from '../../src/contract/contract.ts';
import { parseInstant, truncateInstant } from '../../src/contract/instant.ts';
import {
  isAsExpected,
  type ProbedField,
  type ProbeEvidence,
  type ProbeReport,
  type SentRow,
} from '../../src/probe/report.ts';
import type { JsonRow } from '../../src/runner/report.ts';
import { terminalStyle } from '../terminal/style.ts';
import { showCell } from '../text/cell.ts';
import { disarmLine, visible } from '../text/escape.ts';
import { groupBy } from '../text/group.ts';
import { instantFormat } from '../text/instants.ts';
import type { Style } from '../text/style.ts';
import { decisionLine } from '../text/words.ts';
import { counted, joinParts, wrap } from '../text/wrap.ts';

export interface ProbePage {
  readonly width: number;
  readonly color: boolean;
  /** Whether fields that are as expected are left out. */
  readonly quiet: boolean;
}

const NARROWEST = 40;
const WIDEST = 110;
const NAME = 16;
const OPTION = 18;

/** What a probe found, field by field, for people. */
export function renderProbe(report: ProbeReport, page: ProbePage): string {
  const width = Math.min(Math.max(page.width, NARROWEST), WIDEST);
  const style = terminalStyle(page.color);
  const seconds = (report.totalMs / 1000).toFixed(2);
  const { name, kind } = report.implementation;
  const head = wrap(
    `scd2check ${report.tool.version} · probe of ${visible(name)} (${kind}) · ${counted(report.batches, 'load')}, ${seconds} s`,
    width,
    '  ',
  );
  const lines = [
    ...head.map(style.strong),
    '',
    ...columnLines(report, width, style),
    '',
    ...fieldLines(report, page, width, style),
    ...troubleLines(report, width, style),
    ...report.notes.flatMap((note) => ['', ...wrap(visible(note), width)]),
    '',
    ...endLines(report, width, style),
  ];
  return `${lines.map(disarmLine).join('\n')}\n`;
}

function columnLines({ columns }: ProbeReport, width: number, style: Style): string[] {
  const longest = Math.max(...columns.map(({ name }) => visible(name).length));
  return [
    style.dim('columns'),
    ...columns.flatMap(({ role, name, form, guessed }) => {
      const more = [form, guessed ? 'not declared' : null].filter((part) => part !== null).map(visible);
      const text = `  ${role.padEnd(NAME)}${visible(name).padEnd(longest)}  ${more.join(', ')}`.trimEnd();
      return wrap(text, width, ' '.repeat(NAME + 2));
    }),
  ];
}

// The table of fields

function fieldLines(report: ProbeReport, page: ProbePage, width: number, style: Style): string[] {
  const observed = report.fields.filter(({ status }) => status !== 'not-observable');
  const shown = observed.filter((field) => !page.quiet || signOf(field) !== '=');
  const told = new Set<string>();
  return [
    ...legendLines(report, width, style),
    ...shown.flatMap((field) => oneField(field, report, told, width, style)),
    ...(page.quiet ? [] : notObservedLines(report, width, style)),
  ];
}

function legendLines(report: ProbeReport, width: number, style: Style): string[] {
  const text = `= as ${expectation(report)} · ≠ other than ${expectation(report)} · ✗ none of the options, or contradicts itself. Numbers stand for the instants of loads: [1, 3) begins with the first and ends with the third; 3− is one grain before.`;
  return wrap(text, width).map(style.dim);
}

function expectation({ fields }: ProbeReport): string {
  return fields.some(({ isDeclared }) => isDeclared) ? 'declared' : 'strict';
}

function signOf(field: ProbedField): '=' | '≠' | '✗' {
  if (isAsExpected(field)) return '=';
  return field.status === 'follows' ? '≠' : '✗';
}

/** An answer that shows several fields is told with the first of them. */
function oneField(
  field: ProbedField,
  report: ProbeReport,
  told: Set<string>,
  width: number,
  style: Style,
): string[] {
  const sign = signOf(field);
  const paint = { '=': style.good, '≠': style.warn, '✗': style.bad }[sign];
  const isWide = width >= 70;
  const indent = ' '.repeat(isWide ? 2 + NAME + OPTION : 4);
  const start = `${field.field.padEnd(NAME)}${optionText(field).padEnd(OPTION)}`;
  const words = wordsOf(field) === '' ? [] : wrap(wordsOf(field), width - indent.length);
  const lines = isWide
    ? [`${paint(sign)} ${start}${words[0] ?? ''}`, ...words.slice(1).map((line) => indent + line)]
    : [`${paint(sign)} ${start}`, ...words.map((line) => indent + line)];
  const evidence = field.evidence.filter(({ question }) => field.status === 'follows' && !told.has(question));
  for (const { question } of evidence) told.add(question);
  const answers = evidence.flatMap((one) => evidenceLines(one, report, width - indent.length));
  return [...lines, ...answers.map((line) => indent + style.dim(line))].map((line) => line.trimEnd());
}

function optionText({ status, option }: ProbedField): string {
  if (status === 'follows') return `${visible(option!)} `;
  return status === 'none' ? 'none ' : 'itself ';
}

function wordsOf(field: ProbedField): string {
  const { status, alike, reason, evidence, expected, isDeclared } = field;
  if (status === 'contradicts') return 'contradicts itself: two answers follow different options, see below';
  if (status === 'none') return 'none of the options: an answer that no contract allows, see below';
  const same = alike.length > 0 ? [`${alike.map(visible).join(', ')} would look the same`] : [];
  const other = isDeclared && !isAsExpected(field) ? [`declared is ${visible(expected)}`] : [];
  const remark = reason === null ? [] : [reason];
  return [...evidence.map(({ words }) => words), ...remark, ...same, ...other].join('; ');
}

function notObservedLines({ fields }: ProbeReport, width: number, style: Style): string[] {
  const groups = groupBy(
    fields.filter(({ status }) => status === 'not-observable'),
    ({ reason }) => reason ?? '',
  );
  if (groups.size === 0) return [];
  return [
    '',
    style.dim('not observable'),
    ...[...groups].flatMap(([reason, own]) =>
      wrap(`  ${own.map(({ field }) => field).join(', ')}: ${visible(reason)}`, width, '    '),
    ),
  ];
}

// Answers

/** `sent  A · B · –` and `has  A [1, 2)`, in which numbers stand for the instants of the loads. */
function evidenceLines(evidence: ProbeEvidence, report: ProbeReport, width: number): string[] {
  const names = tellingNames(evidence);
  const show = (values: JsonRow) => names.map((name) => showCell(values[name] ?? null, 20)).join('/');
  const label = labeller(evidence, report);
  const sent = evidence.batches.map(({ rows, outcome }) => {
    const said = rows.length === 0 ? 'no row' : rows.map((row) => sentText(row, show)).join(' + ');
    return outcome === 'rejected' ? `${said} (refused)` : outcome === 'errored' ? `${said} (error)` : said;
  });
  const has = evidence.rows.map(({ values, validFrom, validTo, isDeleted }) =>
    validFrom === null && validTo === null
      ? `${show(values)}${isDeleted ? ' (marked)' : ''}`
      : `${show(values)} [${label(validFrom)}, ${validTo === null ? 'open' : label(validTo)}${isDeleted ? ', marker' : ''})`,
  );
  return [
    ...wrap(
      `sent ${sent.map((text, at) => `${numberOf(evidence, at)}: ${text}`).join(' · ')}`,
      width,
      '     ',
    ),
    ...wrap(`has  ${has.join(' · ') || 'no row'}`, width, '     '),
  ];
}

function sentText({ values, isDelete }: SentRow, show: (values: JsonRow) => string): string {
  return isDelete ? 'delete' : show(values);
}

/** Instants by their order, so that late loads show: the load of the second instant is `2`, whenever it arrives. */
function numberOf({ batches }: ProbeEvidence, at: number): number {
  const instants = [...new Set(batches.map(({ asOf }) => asOf))].sort();
  return instants.indexOf(batches[at]!.asOf) + 1;
}

/** Columns in which the rows of an answer differ; the first attribute where none does. */
function tellingNames({ batches, rows }: ProbeEvidence): readonly string[] {
  const all = [...batches.flatMap((batch) => batch.rows), ...rows].map(({ values }) => values);
  const names = Object.keys(all[0] ?? {});
  const telling = names.filter((name) => new Set(all.map((values) => JSON.stringify(values[name]))).size > 1);
  return telling.length > 0 ? telling : names.slice(1, 2);
}

/** Names an instant by the load (`2`), or by the row's own instant (`own 2`); `2−` is one grain before. */
function labeller({ batches }: ProbeEvidence, { contract }: ProbeReport): (instant: string | null) => string {
  const grain = grainMicros(contract['grain'] as Contract['grain']);
  const cut = (text: string) => truncateInstant(parseInstant(text)!, grain);
  const instants = [...new Set(batches.map(({ asOf }) => asOf))].sort();
  const named = new Map<bigint, string>();
  for (const batch of batches) {
    const number = String(instants.indexOf(batch.asOf) + 1);
    for (const { changedAt } of batch.rows) {
      if (changedAt !== null && parseInstant(changedAt) !== null) named.set(cut(changedAt), `own ${number}`);
    }
  }
  for (const [at, asOf] of instants.entries()) named.set(cut(asOf), String(at + 1));
  const marker = parseInstant(String(contract['openMarker']));
  return (instant) => {
    if (instant === null) return 'NULL';
    const micros = parseInstant(instant)!;
    if (micros === marker) return 'open';
    const name = named.get(micros);
    if (name !== undefined) return name;
    const next = named.get(micros + grain);
    return next === undefined ? instantFormat([instant]).full(instant) : `${next}−`;
  };
}

function troubleLines(report: ProbeReport, width: number, style: Style): string[] {
  const defects = report.fields.filter(({ status }) => status === 'none');
  const contradictions = report.fields.filter(({ status }) => status === 'contradicts');
  const one = (field: ProbedField) => [
    ...field.evidence.flatMap((evidence) => {
      const follows = evidence.follows === null ? '' : ` (follows \`${visible(evidence.follows)}\`)`;
      return [
        ...wrap(`✗ ${field.field}: ${evidence.words}${follows}`, width, '  ').map(style.bad),
        ...evidenceLines(evidence, report, width - 4).map((line) => `    ${line}`),
        ...refusals(evidence).flatMap((reason) => wrap(reason, width - 4).map((line) => `    ${line}`)),
      ];
    }),
  ];
  const section = (title: string, fields: readonly ProbedField[]) =>
    fields.length === 0 ? [] : ['', style.strong(title), ...fields.flatMap(one)];
  return [
    ...section(`None of the options (${defects.length})`, defects),
    ...section(`Contradicts itself (${contradictions.length})`, contradictions),
  ];
}

function refusals({ batches }: ProbeEvidence): string[] {
  const reasons = batches.flatMap(({ outcomeReason }) =>
    outcomeReason === null ? [] : [visible(outcomeReason)],
  );
  return [...new Set(reasons)].map((reason) => `it said: ${reason}`);
}

function endLines(report: ProbeReport, width: number, style: Style): string[] {
  const count = (status: ProbedField['status']) =>
    report.fields.filter((field) => field.status === status).length;
  const different = report.fields.filter((field) => signOf(field) === '≠');
  const summary = [
    `${counted(count('follows'), 'field')} found, ${different.length} other than ${expectation(report)}`,
    `${count('none')} ${count('none') === 1 ? 'follows' : 'follow'} no option`,
    `${count('contradicts')} ${count('contradicts') === 1 ? 'contradicts' : 'contradict'} itself`,
    `${count('not-observable')} not observable`,
  ];
  const meant = different.filter(({ option }) => option !== 'never');
  const guaranteed = different.filter(({ option }) => option === 'never');
  return [
    ...joinParts(summary, width).map(style.strong),
    ...declareLines(
      'If what is other is intended, declare it (`--write` does), and a run judges by it:',
      meant,
      report,
      width,
    ),
    ...declareLines('Only if the source guarantees that it does not happen:', guaranteed, report, width),
  ];
}

function declareLines(
  title: string,
  fields: readonly ProbedField[],
  report: ProbeReport,
  width: number,
): string[] {
  if (fields.length === 0) return [];
  const { kind } = report.implementation;
  const lines = fields.map(({ field, option }) => decisionLine(kind, { field, option: option! }).line);
  return ['', ...wrap(title, width), ...lines.map((line) => `  ${line}`)];
}
