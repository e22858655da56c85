import { showCell } from '../../reporters/text/cell.ts';
import { instantFormat } from '../../reporters/text/instants.ts';
import { PLAIN } from '../../reporters/text/style.ts';
import { fitTable } from '../../reporters/text/table.ts';
import { loadConfig } from '../config/load.ts';
import type { Column } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { declareContract } from '../contract/declare.ts';
import { formatInstant } from '../contract/instant.ts';
import { suggestion } from '../contract/nearest.ts';
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
  const versions = inOrder(step).map((version) => ({
    ...cellsJson(contract.columns.key, version.key),
    ...cellsJson(contract.columns.tracked, version.tracked),
    ...cellsJson(contract.columns.untracked, version.untracked),
    validFrom: formatInstant(version.validFrom),
    validTo: version.validTo === null ? null : formatInstant(version.validTo),
    isCurrent: version.validTo === null,
    ...(contract.deletes === 'marker-row' ? { isDeleted: version.isDeleted } : {}),
  }));
  const ambiguous = step.keys.some((key) => key.ambiguous);
  return {
    batch: step.batch,
    outcome: step.outcome,
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

/** By key, then by start: the same order from either oracle. */
function inOrder(step: ExpectedStep): ExpectedVersion[] {
  const text = (version: ExpectedVersion) =>
    JSON.stringify(version.key, (_, value) =>
      typeof value === 'bigint' ? value.toString().padStart(20, '0') : value,
    );
  return step.keys
    .flatMap(({ versions }) => versions)
    .map((version) => ({ version, key: text(version) }))
    .sort((a, b) =>
      a.key < b.key ? -1 : a.key > b.key ? 1 : a.version.validFrom < b.version.validFrom ? -1 : 1,
    )
    .map(({ version }) => version);
}

function printed(steps: readonly ExpectedStep[], contract: Contract, feed: Feed): string {
  const width = process.stdout.isTTY ? process.stdout.columns : 80;
  const columns = [...contract.columns.key, ...contract.columns.tracked, ...contract.columns.untracked];
  const instants = steps.flatMap((step) =>
    inOrder(step).flatMap(({ validFrom, validTo }) => [
      formatInstant(validFrom),
      ...(validTo === null ? [] : [formatInstant(validTo)]),
    ]),
  );
  const all = instantFormat([...instants, ...feed.batches.map(({ asOf }) => formatInstant(asOf))]);
  const lines = steps.flatMap((step) => {
    const batch = feed.batches[step.batch]!;
    const notes = [
      step.outcome === 'rejected' ? 'rejected' : '',
      step.keys.some(({ forgiven }) => forgiven) ? 'evidence lost: content is not judged' : '',
      step.keys.some(({ ambiguous }) => ambiguous) ? 'the contract leaves the winner open' : '',
    ].filter((note) => note !== '');
    const rows = inOrder(step).map((version) => [
      ...[...version.key, ...version.tracked, ...version.untracked].map((cell, index) => ({
        text: showCell(cellToJson(columns[index]!, cell) as string | number | boolean | null),
      })),
      { text: all.full(formatInstant(version.validFrom)) },
      { text: version.validTo === null ? 'open' : all.full(formatInstant(version.validTo)) },
      ...(contract.deletes === 'marker-row' ? [{ text: version.isDeleted ? 'deleted' : '' }] : []),
    ]);
    const headings = [
      ...columns.map(({ name }) => name),
      'from',
      'to',
      ...(contract.deletes === 'marker-row' ? ['marker'] : []),
    ];
    const table = fitTable(
      { columns: headings.map((heading) => ({ heading, keep: true })), rows },
      width,
      PLAIN,
    );
    const title = `batch ${step.batch + 1}, as of ${all.full(formatInstant(batch.asOf))}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`;
    return [title, ...(rows.length === 0 ? ['  no version'] : table.map((line) => `  ${line}`)), ''];
  });
  return lines.join('\n');
}
