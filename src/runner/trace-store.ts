import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Judge } from '../checks/judge.ts';
import { quoteText } from '../duckdb/sql.ts';

/** Runs that are kept; older ones are removed. */
const KEPT = 20;

/** The folder of one run: what was sent and what came back, as plain data, written before anything is judged. */
export class RunFolder {
  readonly id: string;
  readonly path: string;
  /** Why nothing of the run is kept, as a note of its report; null where it is. */
  readonly notKept: string | null;

  private constructor(id: string, path: string, notKept: string | null) {
    this.id = id;
    this.path = path;
    this.notKept = notKept;
  }

  /**
   * Makes `.scd2check/runs/<id>/`. Ids sort by time and are unique among runs that start at once. Where nothing can be written, it is a
   * temporary folder, which `close` removes.
   * @param root the project folder
   */
  static async create(root: string, id: string): Promise<RunFolder> {
    const runs = join(root, '.scd2check', 'runs');
    const path = join(runs, id);
    try {
      await mkdir(path, { recursive: true });
    } catch (error) {
      const temporary = await mkdtemp(join(tmpdir(), 'scd2check-run-'));
      return new RunFolder(id, temporary, notStored(runs, error));
    }
    await removeOld(runs, id);
    return new RunFolder(id, path, null);
  }

  async close(): Promise<void> {
    if (this.notKept !== null) await rm(this.path, { recursive: true, force: true });
  }

  /** Writes `run.json`: what was run, with what, when. A reader never sees half of it. */
  async writeRun(content: unknown): Promise<void> {
    await this.write('run.json', `${JSON.stringify(content, null, 2)}\n`);
  }

  async write(name: string, text: string): Promise<void> {
    const target = join(this.path, name);
    await writeFile(`${target}.part`, text);
    await rename(`${target}.part`, target);
  }

  /** Writes the feed and the dimension after each batch as Parquet: `<part>.feed.parquet`, `<part>.dimension-<n>.parquet`. */
  async writeTrace(judge: Judge, part: string): Promise<void> {
    const copy = (sql: string, name: string) =>
      judge.db.run(
        `COPY (${sql}) TO ${quoteText(join(this.path, `${part}.${name}.parquet`))} (FORMAT parquet)`,
      );
    await copy(
      'SELECT l.as_of, d.* FROM load_values l LEFT JOIN delivered_values d USING (feed, batch)',
      'feed',
    );
    const tables = await judge.db.rows<{ name: string }>(
      `SELECT table_name AS name FROM duckdb_tables() WHERE table_name LIKE 'held\\_raw\\_%' ESCAPE '\\' ORDER BY name`,
    );
    for (const [index, { name }] of tables.entries())
      await copy(`SELECT * FROM ${name}`, `dimension-${index}`);
  }
}

/** What a report says where its run, or what failed in it, could not be written. */
export function notStored(folder: string, error: unknown): string {
  return (
    `Nothing was stored, because \`${folder}\` cannot be written (${(error as Error).message}). ` +
    'The verdict is the same; only `report` and `replay` will not find this run.'
  );
}

async function removeOld(runs: string, current: string): Promise<void> {
  const all = (await readdir(runs)).filter((name) => /^\d{8}T\d{6}/.test(name) && name !== current).sort();
  // Another run may remove the same folder at the same time; that is as good.
  for (const name of all.slice(0, Math.max(0, all.length + 1 - KEPT))) {
    if (isOver(runs, name)) await rm(join(runs, name), { recursive: true, force: true });
  }
}

/** Whether a run has ended, or is so old that it must have. A long one is not to lose its folder to twenty short ones beside it. */
function isOver(runs: string, name: string): boolean {
  const yesterday = newRunId(new Date(Date.now() - 86_400_000), () => 0);
  return name < yesterday || existsSync(join(runs, name, 'report.json'));
}

/** An id that sorts by time: `20260301T060000-3f9c`. */
export function newRunId(now: Date, random: () => number): string {
  const stamp = now.toISOString().replace(/[-:]/g, '').slice(0, 15);
  return `${stamp}-${Math.floor(random() * 0x10000)
    .toString(16)
    .padStart(4, '0')}`;
}
