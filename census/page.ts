import { join } from 'node:path';
import { batchTable } from '../reporters/text/batch-table.ts';
import { instantFormat } from '../reporters/text/instants.ts';
import { PLAIN } from '../reporters/text/style.ts';
import { type TextOptions, versionLegend, versionTable } from '../reporters/text/version-table.ts';
import type { Finding } from '../src/runner/report.ts';
import { ENTRIES } from './entries.ts';
import type { Claim, Entry, Red, Row } from './entry.ts';
import { type Measured, readMeasured, type Shown } from './measured.ts';

/** docs/census.md: the entries, and the figures that `npm run census -- --write` kept. */
export function censusPage(): string {
  const measured = ENTRIES.flatMap((entry) => {
    const rows = readMeasured(join(import.meta.dirname, entry.id));
    return entry.rows.flatMap((row) => {
      const figures = rows[row.id];
      return figures === undefined ? [] : [{ entry, row, figures }];
    });
  });
  const sections = ENTRIES.map((entry) =>
    section(
      entry,
      measured.filter((one) => one.entry === entry),
    ),
  );
  return `${[HEAD, overview(measured), ...sections].join('\n\n')}\n`;
}

interface MeasuredRow {
  readonly entry: Entry;
  readonly row: Row;
  readonly figures: Measured;
}

const HEAD = `<!-- Made from \`census/\` by \`npm run docs\`. Do not edit here. -->

# A census

Public implementations of slowly changing dimensions, each held to the contract that its own documentation claims. A claim is quoted with its source. What the documentation names as a limit is not sent. Red means that the implementation is not what it claims to be, in the version named here; green, that every selected check was exercised and held.

Nothing is said here that was not seen three times: in a feed of many keys, alone in the smallest feed that shows it, and by hand, in a script that calls the package without scd2check and prints what it holds. What only a whole run shows has no smallest feed; its entry says so. \`npm run census -- <row>\` does all three again, in a pinned environment, and ends with 1 where anything is not as this page says. \`npm run census -- --list\` names the rows.

\`Histories\` are those of the run; \`forgiven\` among them need evidence that a dimension does not keep. A load is a batch that was given and read back. Seconds are of one run on a machine with two processors that did other things too; the share of the implementation is exact enough to say where the time goes.`;

function overview(rows: readonly MeasuredRow[]): string {
  const lines = rows.map(({ entry, row, figures }) =>
    cells([
      `[${nameOf(entry, row)}](#${anchor(entry)})`,
      row.version,
      entry.licence,
      figures.contract['feed'] ?? '',
      figures.contract['clock'] ?? '',
      verdictOf(row, figures),
      figures.histories,
      figures.forgiven,
      figures.loads,
      seconds(figures.totalMs),
      share(figures),
    ]),
  );
  const heading = [
    'implementation',
    'version',
    'licence',
    'feed',
    'clock',
    'verdict',
    'histories',
    'forgiven',
    'loads',
    'seconds',
    'of them in the implementation',
  ];
  return ['## The table', '', cells(heading), cells(heading.map(() => '---')), ...lines].join('\n');
}

function section(entry: Entry, rows: readonly MeasuredRow[]): string {
  return [
    `## ${entry.name}`,
    `[${entry.home}](${entry.home}). Licence: ${entry.licence}. The dimension lies in: ${entry.engine}. Adapter: [\`census/${entry.id}/\`](../census/${entry.id}/).`,
    `How the adapter was ruled out as the cause: ${entry.ruledOut}`,
    ...rows.map(rowSection),
  ].join('\n\n');
}

function rowSection({ entry, row, figures }: MeasuredRow): string {
  const { cases, checks } = figures;
  const beyond = Object.entries(row.beyond ?? {}).map(([field, option]) => `\`${field}: ${option}\``);
  return [
    `### ${row.id}`,
    `${nameOf(entry, row)}, version ${row.version}. **${verdictOf(row, figures)}**: ${cases.passed} of ${cases.passed + cases.failed} named cases, ${checks.held} of ${checks.held + checks.failed.length} checks held${checks.failed.length === 0 ? '' : `; not ${checks.failed.map((id) => `[\`${id}\`](checks/${id}.md)`).join(', ')}`}.`,
    ...(row.note === undefined ? [] : [row.note]),
    ...(beyond.length === 0
      ? []
      : [`Set beside the claim: ${beyond.join(', ')}. What is red here breaks no promise.`]),
    details('The contract, and where it is from', row.claims.map(claimLine).join('\n')),
    ...(row.limitations ?? []).map((text) => `Documented, or of its installation: ${text}`),
    ...row.expected.reds.flatMap((red) => redSection(entry, red, figures.reds[red.id])),
  ].join('\n\n');
}

function claimLine({ field, option, says, where }: Claim): string {
  return `- \`${field}: ${option}\`: ${says} (${where})`;
}

function redSection(entry: Entry, red: Red, shown: Shown | undefined): string[] {
  if (red.onlyWhole === true)
    return [`**${red.title}.** ${red.why} A whole run shows it, and no single feed.`];
  const feed = `census/${entry.id}/feeds/${red.id}.json`;
  const evidence = shown === undefined ? [] : [block(evidenceLines(shown))];
  return [`**${red.title}.** ${red.why} Feed: [\`${feed}\`](../${feed}).`, ...evidence];
}

const TEXT: TextOptions = { width: 110, style: PLAIN, rowLimit: 12, cellLimit: 30 };

/** The feed, then expected and actual rows as one table. */
function evidenceLines(shown: Shown): string[] {
  const finding = shown as Finding;
  const instants = instantFormat([
    ...shown.counterexample.batches.map(({ asOf }) => asOf),
    ...[...shown.expected, ...shown.actual].flatMap(({ validFrom, validTo }) =>
      [validFrom, validTo].filter((one) => one !== null),
    ),
  ]);
  return [
    ...batchTable(shown.counterexample, instants, TEXT),
    '',
    `${shown.check}: ${shown.message}`,
    ...versionTable(finding, instants, TEXT),
    versionLegend(finding).join(' · '),
  ];
}

function nameOf(entry: Entry, row: Row): string {
  return row.title === '' ? entry.name : `${entry.name}, ${row.title}`;
}

/** As GitHub makes anchors of headings. */
function anchor({ name }: Entry): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function verdictOf({ beyond, expected }: Row, { exitCode }: Measured): string {
  if (exitCode === 0) return beyond === undefined ? 'green' : 'green, under another contract';
  if (exitCode === 3) return 'not judged';
  const causes = expected.reds.length === 1 ? '1 cause' : `${expected.reds.length} causes`;
  return beyond === undefined ? `red, ${causes}` : `red, under another contract, ${causes}`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

function share({ totalMs, implementationMs }: Measured): string {
  return `${Math.round((implementationMs / totalMs) * 100)} %`;
}

function cells(values: readonly (string | number)[]): string {
  return `| ${values.join(' | ')} |`;
}

function details(summary: string, text: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${text}\n\n</details>`;
}

function block(lines: readonly string[]): string {
  return `\`\`\`text\n${lines.map((line) => line.trimEnd()).join('\n')}\n\`\`\``;
}
