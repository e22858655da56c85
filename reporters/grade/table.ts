import type { Gradebook, Graded } from '../../src/grade/gradebook.ts';
import { terminalStyle } from '../terminal/style.ts';
import { disarmLine, visible, visibleLines } from '../text/escape.ts';
import type { Style } from '../text/style.ts';
import { fitTable, type TextTable } from '../text/table.ts';
import { counted, wrap } from '../text/wrap.ts';
import type { GradeReporter } from './reporter.ts';
import { itemsOf, notJudgedText, pointsText, scoreText, unitStatus } from './words.ts';

/** The class as a table, what many of them get wrong, and what they were kept from. */
export const reporter: GradeReporter = {
  of: 'class',
  render: (book, { width, color, full }) => {
    const style = terminalStyle(color);
    const blocks = [
      fitTable(gradesTable(book, style), width, style),
      book.submissions.flatMap((one) => remarks(one, book, width, full)),
      similarLines(book, width, full),
      isolationLines(book, width, style),
      book.notes.flatMap((note) => wrap(visible(note), width)),
      [totals(book)],
    ];
    return `${blocks
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.map(disarmLine).join('\n'))
      .join('\n\n')}\n`;
  },
};

function gradesTable(book: Gradebook, style: Style): TextTable {
  return {
    columns: [
      { heading: 'submission' },
      { heading: 'score', align: 'right', keep: true },
      ...book.rubric.map(({ id }) => ({ heading: id, align: 'right' as const, keep: true })),
      { heading: 'beyond' },
    ],
    rows: book.submissions.map((one) => {
      const isWhole = one.score === book.maximum;
      return [
        { text: visible(one.id), paint: style.strong },
        {
          text: scoreText(one, book),
          paint: isWhole ? style.good : one.score === null ? style.warn : style.bad,
        },
        ...book.rubric.map(({ id }) => {
          const item = one.items.find((result) => result.id === id);
          return item === undefined ? null : { text: pointsText(item.earned) };
        }),
        { text: beyondText(one) },
      ];
    }),
  };
}

/** What holds the cases and not the histories may have learnt the cases by heart. */
function beyondText({ beyond }: Graded): string {
  if (beyond === null) return '';
  return beyond.failing === 0 ? `${beyond.histories} hold` : `${beyond.failing}/${beyond.histories} fail`;
}

const REASON_LIMIT = 3;

function remarks(one: Graded, book: Gradebook, width: number, full: boolean): string[] {
  const lines: string[] = [];
  if (one.status === 'not-gradable') {
    const reason = visibleLines(one.reason ?? '').slice(0, full ? undefined : REASON_LIMIT);
    lines.push(
      ...reason.flatMap((line, index) => wrap(index === 0 ? `not gradable: ${line}` : line, width, '  ')),
    );
  }
  const notJudged = notJudgedText(one);
  if (notJudged !== null && !full) lines.push(...wrap(notJudged, width, '  '));
  if (one.status === 'graded' && one.score === book.maximum && (one.beyond?.failing ?? 0) > 0)
    lines.push(...wrap('every point, and yet histories beyond the rubric fail: look at it', width, '  '));
  lines.push(...one.notes.flatMap((note) => wrap(visible(note), width, '  ')));
  if (full) {
    for (const { result } of itemsOf(one, book))
      for (const unit of result.units.filter(({ status }) => status !== 'passed'))
        lines.push(
          ...wrap(`${unitStatus(unit)}: ${visible(unit.id)}: ${visible(unit.message ?? '')}`, width, '  '),
        );
  }
  return lines.length === 0 ? [] : [`${visible(one.id)}`, ...lines.map((line) => `  ${line.trimStart()}`)];
}

const SIMILAR_LIMIT = 10;
const NAMES_LIMIT = 8;

function similarLines({ similar }: Gradebook, width: number, full: boolean): string[] {
  if (similar.length === 0) return [];
  const shown = full ? similar : similar.slice(0, SIMILAR_LIMIT);
  const lines = shown.flatMap(({ submissions, of, unit, check, decision, title }) => {
    const names = submissions.slice(0, NAMES_LIMIT).map(visible).join(', ');
    const more = submissions.length > NAMES_LIMIT ? `, and ${submissions.length - NAMES_LIMIT} more` : '';
    const words = decision === null ? '' : ` (as \`${visible(decision)}\`)`;
    const sentence = `${submissions.length} of ${of}: ${visible(unit)} by ${visible(check)}${words}: ${visible(title)} [${names}${more}]`;
    return wrap(sentence, width, '    ').map((line, index) => (index === 0 ? `  ${line.trimStart()}` : line));
  });
  const rest = similar.length - shown.length;
  return ['What several get wrong', ...lines, ...(rest > 0 ? [`  … ${rest} more: --full`] : [])];
}

function isolationLines({ isolation }: Gradebook, width: number, style: Style): string[] {
  const missing = isolation.protections.filter(({ holds }) => !holds);
  if (missing.length === 0)
    return wrap(
      'Isolation: bubblewrap; each submission in a process space and a file system of its own, without network.',
      width,
    );
  return [
    ...wrap(`Isolation is weak here: ${isolation.why}. Not held:`, width).map(style.warn),
    ...missing.flatMap(({ id, words }) =>
      wrap(`${id}: ${words}`, width, '    ').map((line) => `  ${line.trimStart()}`),
    ),
  ];
}

function totals({ submissions, complete }: Gradebook): string {
  const count = (status: Graded['status']) => submissions.filter((one) => one.status === status).length;
  const none = count('not-gradable');
  const waiting = count('waiting');
  return [
    `${counted(count('graded'), 'submission')} graded`,
    ...(none > 0 ? [`${none} not gradable`] : []),
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
    ...(complete ? [] : ['not complete']),
  ].join(' · ');
}
