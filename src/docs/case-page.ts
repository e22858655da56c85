import { BATCHES } from '../../cases/batches.ts';
import { BOUNDARY } from '../../cases/boundary.ts';
import { BOUNDS } from '../../cases/bounds.ts';
import type { Case } from '../../cases/case.ts';
import { CHANGE_FEEDS } from '../../cases/changes.ts';
import { DELETES } from '../../cases/deletes.ts';
import { DELTA } from '../../cases/delta.ts';
import { DUPLICATES } from '../../cases/duplicates.ts';
import { HISTORY } from '../../cases/history.ts';
import { CASES } from '../../cases/index.ts';
import { KEYS } from '../../cases/keys.ts';
import { LATE_ARRIVALS } from '../../cases/late.ts';
import { NULLS } from '../../cases/nulls.ts';
import { PARTITIONS } from '../../cases/partitions.ts';
import { ROW_TIME } from '../../cases/row-time.ts';
import { SAME_INSTANT } from '../../cases/same-instant.ts';
import { UNTRACKED } from '../../cases/untracked.ts';
import { VALUES } from '../../cases/values.ts';
import { generated, page, table } from './markdown.ts';

/** The files of `cases/` in the order of `cases/index.ts`, with a heading each. */
export const CASE_FILES: readonly (readonly [file: string, title: string, cases: readonly Case[]])[] = [
  ['boundary', 'The seven boundary cases', BOUNDARY],
  ['history', 'Changes in order', HISTORY],
  ['nulls', 'NULL', NULLS],
  ['values', 'Values', VALUES],
  ['untracked', 'Untracked attributes', UNTRACKED],
  ['keys', 'Keys', KEYS],
  ['deletes', 'Deletes and returns', DELETES],
  ['partitions', 'Partitions', PARTITIONS],
  ['late', 'Late loads', LATE_ARRIVALS],
  ['same-instant', 'One instant twice', SAME_INSTANT],
  ['duplicates', 'Duplicates in a batch', DUPLICATES],
  ['batches', 'Batches as a whole', BATCHES],
  ['delta', 'Deltas', DELTA],
  ['changes', 'Feeds of changes', CHANGE_FEEDS],
  ['row-time', 'Row times', ROW_TIME],
  ['bounds', 'Ends, open markers and first starts', BOUNDS],
];

/** `docs/cases.md`, made from the cases. */
export function casePage(): string {
  const sections = CASE_FILES.flatMap(([file, title, cases]) => [
    `## ${title}`,
    `[\`cases/${file}.ts\`](../cases/${file}.ts)`,
    ...cases.map(entry),
  ]);
  return page(
    generated('`cases/`'),
    '# Cases',
    `${CASES.length} named feeds. The first seven are the specification; each of the others stands for a kind of defect, and ${CASES.filter(({ source }) => source !== undefined).length} of them name a public report as their source. The report is where the idea comes from: the case is written anew, and says nothing of the state of that project today.`,
    'The figures are what the dimension should hold after the last batch under `strict`, with the first option of each field that the case needs. A case that the contract excludes, or whose columns the dimension has not, is skipped and does not touch the verdict. Where cases name columns, these are roles: they are mapped to the columns of the implementation under test.',
    '`scd2check explain <case>` prints the batches of a case; `--case <id>` runs one, `--case boundary` the first seven.',
    table(
      ['group', 'cases'],
      CASE_FILES.map(([, title, cases]) => [`[${title}](#${anchor(title)})`, String(cases.length)]),
    ),
    ...sections,
  );
}

function anchor(title: string): string {
  return title.toLowerCase().replaceAll(',', '').replaceAll(' ', '-');
}

function entry({ id, title, why, expected, needs, source }: Case): string {
  const needed = Object.entries(needs).map(
    ([field, options]) => `\`${field}: ${(options as readonly string[]).join('` or `') || 'sql'}\``,
  );
  const facts = [
    `${counted(expected.versions, 'version')}, ${expected.open} open after the last batch.`,
    needed.length === 0 ? '' : `Needs ${needed.join(', ')}.`,
    source === undefined ? '' : `Source: ${link(source)}.`,
  ];
  return `### ${id}\n\n${title} ${why}\n\n${facts.filter((fact) => fact !== '').join(' ')}`;
}

function counted(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

/** `owner/repo#12` or an address without its scheme. */
function link(source: string): string {
  const issue = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(source);
  return issue === null
    ? `<https://${source}>`
    : `[${source}](https://github.com/${issue[1]}/issues/${issue[2]})`;
}
