/**
 * Cases of a project's own: feed files in the folder `scd2check-cases` beside the configuration, each with a `title`. They are sent after the
 * named cases, to every implementation whose columns they fit, and judged by its contract.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UsageError } from '../src/cli/usage-error.ts';
import { batchColumns, type Cell, type Column } from '../src/contract/columns.ts';
import type { Contract } from '../src/contract/contract.ts';
import type { Feed } from '../src/feed/feed.ts';
import { type FeedFile, feedFileOf, toFeed } from '../src/feed/feed-file.ts';
import { PROJECT_CASES } from '../src/search/promote.ts';
import type { Case } from './case.ts';
import type { MappedCase } from './mapping.ts';

/** What a run needs to know of a case beside its feed. */
export type NamedCase = Pick<Case, 'id' | 'title' | 'columns'>;

export interface ProjectCase extends NamedCase {
  readonly file: FeedFile;
}

/** The project's cases, by id (`project/<name of the file>`). @throws UsageError where one cannot be read */
export function loadProjectCases(root: string): readonly ProjectCase[] {
  const folder = join(root, PROJECT_CASES);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => readProjectCase(join(folder, name)));
}

function readProjectCase(path: string): ProjectCase {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`The case \`${path}\` cannot be read: ${(error as Error).message}`);
  }
  const name = basename(path, '.json');
  const { title } = (content ?? {}) as { title?: unknown };
  return {
    id: `project/${name}`,
    title: typeof title === 'string' ? title : name,
    columns: { key: [], tracked: [] },
    file: feedFileOf(content, path),
  };
}

/** A file's feed under a contract, or why it cannot be sent: a column that either of them lacks, a value that a column cannot hold. */
export function feedUnder(contract: Contract, file: FeedFile, id: string): MappedCase {
  const columns = batchColumns(contract.columns, contract.firstStart);
  const rows = file.batches.flatMap((batch) => batch.rows);
  const strange = rows
    .flatMap((row) => Object.keys(row))
    .find((name) => !columns.some((column) => column.name === name));
  if (strange !== undefined)
    return { skip: `The contract names no column \`${strange}\`, which its rows have.` };
  const lacking = columns.find(
    ({ name, nullable }) => !nullable && rows.some((row) => !Object.hasOwn(row, name)),
  );
  if (lacking !== undefined)
    return { skip: `The contract names a column \`${lacking.name}\`, which its rows do not have.` };
  let feed: Feed;
  try {
    feed = toFeed(contract, file);
  } catch (error) {
    if (error instanceof UsageError) return { skip: error.message };
    throw error;
  }
  const unfit = columns.find((column) =>
    feed.batches.some((batch) => batch.rows.some((row) => !holds(column, row[column.name] ?? null))),
  );
  if (unfit !== undefined) return { skip: `The column \`${unfit.name}\` cannot hold its values.` };
  return { feed: { ...feed, id } };
}

function holds({ nullable, values, maxLength = Infinity }: Column, cell: Cell): boolean {
  if (cell === null) return nullable;
  if (values !== undefined && !values.includes(cell)) return false;
  return typeof cell !== 'string' || [...cell].length <= maxLength;
}
