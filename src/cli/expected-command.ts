import { showCell } from '../../reporters/text/cell.ts';
import { type InstantFormat, instantFormat } from '../../reporters/text/instants.ts';
import { PLAIN } from '../../reporters/text/style.ts';
import { fitTable } from '../../reporters/text/table.ts';
import { loadConfig } from '../config/load.ts';
import type { Column } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { declareContract } from '../contract/declare.ts';
import { formatInstant } from '../contract/instant.ts';
import { suggestion } from '../contract/nearest.ts';
import { besideColumns, hasCurrentTable, hasVersions } from '../contract/types.ts';
import { cellToJson } from '../duckdb/rows.ts';
import type { Feed } from '../feed/feed.ts';
import { inferTypes, readFeedFile, toFeed } from '../feed/feed-file.ts';
import type { ExpectedStep, ExpectedVersion } from '../oracle/expected.ts';
import type { Arguments } from './arguments.ts';
import { configLayer, flagLayer } from './contract-layers.ts';
import { writeWhole } from './output.ts';
import { UsageError } from './usage-error.ts';

/**
 * `scd2check expected <feed>`: what the dimension should hold after each batch, by either oracle. Ends are exclusive and null is open,
 * whatever form the contract gives them in a table.
 */
export async function expectedCommand(args: Arguments): Promise<number> {
  const [path] = args.targets;
  if (path === undefined)
    throw new UsageError('`scd2check expected` needs a feed: scd2check expected feed.json.');
  const loaded = await loadConfig(args.value('config'), process.cwd());
  const file = await readFeedFile(path);
  const { contract: declared } = declareContract([
    configLayer(loaded.config.contract, loaded.path ?? 'configuration'),
    file.declared,
    flagLayer(args, process.cwd()),
  ]);
  const contract = inferTypes(declared, file);
  const feed = toFeed(contract, file);
  const steps = await ask(args.value('oracle') ?? 'duckdb', contract, feed);
  const json = { steps: steps.map((step) => stepJson(step, contract)) };
  for (const reporter of args.values('reporter')) {
    const [name, target = '-'] = [
      reporter.split(':')[0],
      reporter.includes(':') ? reporter.slice(reporter.indexOf(':') + 1) : '-',
    ];
    if (name !== 'json')
      throw new UsageError(
        `\`scd2check expected\` prints a table, or \`--reporter json[:file]\`; not \`${reporter}\`.`,
      );
    const text = `${JSON.stringify(json, null, 2)}\n`;
    if (target === '-') process.stdout.write(text);
    else writeWhole(target, text);
  }
  if (args.values('reporter').length === 0) process.stdout.write(printed(steps, contract, feed));
  return 0;
}

async function ask(oracle: string, contract: Contract, feed: Feed): Promise<readonly ExpectedStep[]> {
  if (oracle === 'typescript')
    return (await import('../oracle/typescript/index.ts')).expectFeed(contract, feed);
  if (oracle === 'duckdb')
    return (await (await import('../oracle/duckdb/index.ts')).expectFeeds(contract, [feed]))[0]!;
  throw new UsageError(`There is no oracle \`${oracle}\`.${suggestion(oracle, ['duckdb', 'typescript'])}`);
}

function stepJson(step: ExpectedStep, contract: Contract) {
  const marked = contract.deletes === 'marker-row';
  const cells = (row: ExpectedVersion) => ({
    ...cellsJson(contract.columns.key, row.key),
    ...cellsJson(contract.columns.tracked, row.tracked),
    ...cellsJson(contract.columns.untracked, row.untracked),
    ...cellsJson(besideColumns(contract), row.beside),
  });
  const versions = inOrder(versionsOf(step)).map((version) => ({
    ...cells(version),
    validFrom: formatInstant(version.validFrom),
    validTo: version.validTo === null ? null : formatInstant(version.validTo),
    isCurrent: version.validTo === null,
    ...(marked ? { isDeleted: version.isDeleted } : {}),
  }));
  const current = inOrder(currentOf(step)).map((row) => ({
    ...cells(row),
    ...(marked ? { isDeleted: row.isDeleted } : {}),
  }));
  const ambiguous = step.keys.some((key) => key.ambiguous);
  return {
    batch: step.batch,
    outcome: step.outcome,
    ...(hasCurrentTable(contract) ? { current } : {}),
    versions,
    forgiven: step.keys.some(({ forgiven }) => forgiven),
    ...(ambiguous ? { ambiguous } : {}),
  };
}

function cellsJson(columns: readonly Column[], cells: ExpectedVersion['key']) {
  return Object.fromEntries(
    columns.map((column, index) => [column.name, cellToJson(column, cells[index] ?? null)]),
  );
}

const versionsOf = ({ keys }: ExpectedStep) => keys.flatMap(({ versions }) => versions);
const currentOf = ({ keys }: ExpectedStep) => keys.flatMap(({ current }) => current ?? []);

/** By key, then by start: the same order from either oracle. */
function inOrder(rows: readonly ExpectedVersion[]): ExpectedVersion[] {
  const text = (row: ExpectedVersion) =>
    JSON.stringify(row.key, (_, value) =>
      typeof value === 'bigint' ? value.toString().padStart(20, '0') : value,
    );
  return rows
    .map((row) => ({ row, key: text(row) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.row.validFrom < b.row.validFrom ? -1 : 1))
    .map(({ row }) => row);
}

function printed(steps: readonly ExpectedStep[], contract: Contract, feed: Feed): string {
  const bounds = steps.flatMap((step) =>
    versionsOf(step).flatMap(({ validFrom, validTo }) => [
      formatInstant(validFrom),
      ...(validTo === null ? [] : [formatInstant(validTo)]),
    ]),
  );
  const instants = instantFormat([...bounds, ...feed.batches.map(({ asOf }) => formatInstant(asOf))]);
  const lines = steps.flatMap((step) => {
    const batch = feed.batches[step.batch]!;
    const notes = [
      step.outcome === 'rejected' ? 'rejected' : '',
      step.keys.some(({ forgiven }) => forgiven) ? 'evidence lost: content is not judged' : '',
      step.keys.some(({ ambiguous }) => ambiguous) ? 'the contract leaves the winner open' : '',
    ].filter((note) => note !== '');
    const title = `batch ${step.batch + 1}, as of ${instants.full(formatInstant(batch.asOf))}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`;
    return [title, ...tables(step, contract, instants).map((line) => `  ${line}`), ''];
  });
  return lines.join('\n');
}

/** The rows after one batch; of type 4, those of its two tables. */
function tables(step: ExpectedStep, contract: Contract, instants: InstantFormat): string[] {
  const current = rowTable(inOrder(currentOf(step)), contract, null, 'no row');
  const versions = rowTable(inOrder(versionsOf(step)), contract, instants, 'no version');
  if (!hasCurrentTable(contract)) return versions;
  return hasVersions(contract) ? ['current table', ...current, 'history table', ...versions] : current;
}

/** `instants`: how bounds are written, null where the rows have none. */
function rowTable(
  shown: readonly ExpectedVersion[],
  contract: Contract,
  instants: InstantFormat | null,
  none: string,
): string[] {
  if (shown.length === 0) return [none];
  const { key, tracked, untracked } = contract.columns;
  const columns = [...key, ...tracked, ...untracked, ...besideColumns(contract)];
  const marked = contract.deletes === 'marker-row';
  const rows = shown.map((row) => [
    ...[...row.key, ...row.tracked, ...row.untracked, ...row.beside].map((cell, index) =>
      showCell(cellToJson(columns[index]!, cell) as string | number | boolean | null),
    ),
    ...(instants === null
      ? []
      : [
          instants.full(formatInstant(row.validFrom)),
          row.validTo === null ? 'open' : instants.full(formatInstant(row.validTo)),
        ]),
    ...(marked ? [row.isDeleted ? 'deleted' : ''] : []),
  ]);
  const headings = [
    ...columns.map(({ name }) => name),
    ...(instants === null ? [] : ['from', 'to']),
    ...(marked ? ['marker'] : []),
  ];
  return fitTable(
    {
      columns: headings.map((heading) => ({ heading, keep: true })),
      rows: rows.map((cells) => cells.map((text) => ({ text }))),
    },
    process.stdout.isTTY ? process.stdout.columns : 80,
    PLAIN,
  );
}
