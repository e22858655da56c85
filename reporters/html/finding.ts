import type { Finding, Report } from '../../src/runner/report.ts';
import { visible, visibleLines } from '../text/escape.ts';
import { type InstantFormat, instantFormat } from '../text/instants.ts';
import { decisionLine, placeOf } from '../text/words.ts';
import { type Element, el } from './element.ts';
import { moneyFigure } from './money.ts';
import { batchesTable, factsTable, versionTables } from './rows.ts';
import { timelineFigure } from './timeline.ts';

/** Where a finding stands on the page: `number` from 1, of `shown`. */
export interface Position {
  readonly number: number;
  readonly shown: number;
}

/** What a finding is shown with. */
export type Context = Pick<Report, 'contract' | 'cases' | 'implementation'>;

/** One finding: the sentence, the picture, the rows, how it came about, the cost, and the command that shows it again. */
export function findingArticle(finding: Finding, report: Context, position: Position): Element {
  const id = `finding-${position.number}`;
  const instants = instantsOf(finding);
  const facts = finding.facts ?? [];
  const title = report.cases.find((result) => result.id === finding.case)?.title;
  return el(
    'article',
    {
      id,
      class: `finding ${finding.decision === null ? 'defect' : 'decision'}`,
      'aria-labelledby': `${id}-title`,
    },
    el(
      'h3',
      { id: `${id}-title` },
      el('span', { class: 'sign' }, `${finding.decision === null ? '✗' : '≈'} ${visible(finding.check)}`),
    ),
    ...visibleLines(finding.message).map((line) => el('p', { class: 'message' }, line)),
    el(
      'p',
      { class: 'faint' },
      placeOf(finding).join(' · '),
      title === undefined ? '' : ` · in this case: ${visible(title)}`,
    ),
    ...decisionPart(finding, report),
    timelineFigure(finding, report.contract, instants, id),
    versionTables(finding, instants, `finding ${position.number}`),
    batchesTable(finding.counterexample, instants),
    stepsPart(finding, instants, id),
    ...(finding.money === undefined ? [] : [moneyFigure(finding.money, `${id}-money`)]),
    ...(facts.length === 0
      ? []
      : [el('details', null, el('summary', null, `Facts (${facts.length})`), factsTable(facts, instants))]),
    ...(finding.implies.length === 0
      ? []
      : [el('p', null, `From this follow: ${finding.implies.map(visible).join(', ')}.`)]),
    el('p', { class: 'replay' }, 'Replay: ', el('code', { 'data-copy': true }, visible(finding.replay))),
    neighbours(position),
  );
}

function neighbours({ number, shown }: Position): Element {
  const link = (to: number, text: string) => el('a', { href: `#finding-${to}` }, text);
  return el(
    'p',
    { class: 'neighbours' },
    ...(number > 1 ? [link(number - 1, `↑ Finding ${number - 1}`), ' '] : []),
    ...(number < shown ? [link(number + 1, `↓ Finding ${number + 1}`), ' '] : []),
    el('a', { href: '#top' }, 'To the top'),
  );
}

function decisionPart({ decision }: Finding, report: Context): Element[] {
  if (decision === null) return [];
  const { where, line } = decisionLine(report.implementation.kind, decision);
  return [
    el(
      'p',
      { class: 'decision' },
      'This is what ',
      el('code', null, `${decision.field}: ${visible(decision.option)}`),
      ` means. If it is intended, add this line ${where}: `,
      el('code', { 'data-copy': true }, line),
    ),
  ];
}

/** The rows after each batch, one below the other; the script makes a slider of them. */
function stepsPart(
  { history = [], counterexample: { batches } }: Finding,
  instants: InstantFormat,
  id: string,
) {
  if (history.length < 2) return null;
  const skipped = history[0]!.step;
  return el(
    'details',
    { class: 'steps', 'data-steps': true },
    el('summary', null, 'The dimension after each batch'),
    ...(skipped === 0 ? [] : [el('p', null, `The first ${skipped} batches are left out.`)]),
    ...history.map((one) => {
      const batch = batches[one.step];
      return el(
        'section',
        { class: 'step', 'data-step': one.step + 1, 'aria-labelledby': `${id}-step-${one.step + 1}` },
        el(
          'h4',
          { id: `${id}-step-${one.step + 1}` },
          `After batch ${one.step + 1} of ${batches.length}`,
          ...(batch === undefined
            ? []
            : [`, as of ${instants.full(batch.asOf)}${batch.late ? ', ▲ late' : ''}`]),
        ),
        versionTables(one, instants, `after batch ${one.step + 1}`),
      );
    }),
  );
}

/** The shortest form for all the instants of a finding; of facts, a microsecond beside a boundary must be seen. */
function instantsOf(finding: Finding): InstantFormat {
  const rows = [finding, ...(finding.history ?? [])].flatMap(({ expected, actual }) => [
    ...expected,
    ...actual,
  ]);
  const bounds = rows.flatMap(({ validFrom, validTo }) => [validFrom, validTo]).filter((one) => one !== null);
  return instantFormat([...bounds, ...finding.counterexample.batches.map(({ asOf }) => asOf)]);
}
