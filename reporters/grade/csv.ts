import Papa from 'papaparse';
import { visible } from '../text/escape.ts';
import type { GradeReporter } from './reporter.ts';
import { notJudgedText } from './words.ts';

/**
 * `grades.csv`, a row a submission, a column an item. The score of what is not gradable is empty, and not 0. A cell that a spreadsheet would
 * take for a formula is written as text: names are chosen by strangers.
 */
export const reporter: GradeReporter = {
  of: 'class',
  render: ({ rubric, maximum, submissions }) => {
    const header = [
      'id',
      'name',
      'status',
      'score',
      'maximum',
      ...rubric.map(({ id }) => id),
      'beyond',
      'reason',
    ];
    const rows = submissions.map((one) => [
      one.id,
      visible(one.name),
      one.status,
      one.score ?? '',
      maximum,
      ...rubric.map(({ id }) => one.items.find((item) => item.id === id)?.earned ?? ''),
      one.beyond === null ? '' : `${one.beyond.failing} of ${one.beyond.histories} fail`,
      visible(one.reason ?? notJudgedText(one) ?? ''),
    ]);
    return `${Papa.unparse([header, ...rows], { escapeFormulae: true, newline: '\n' })}\n`;
  },
};
