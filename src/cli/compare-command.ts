import { loadCompareReporter } from '../../reporters/compare/index.ts';
import { isDatabaseUrl } from '../audit/remote/client.ts';
import { openTable } from '../audit/table.ts';
import { align } from '../compare/align.ts';
import { compareTables } from '../compare/compare.ts';
import { loadConfig } from '../config/load.ts';
import type { Database } from '../duckdb/connection.ts';
import { type Arguments, wholeFlag } from './arguments.ts';
import { type DeclaredTable, declaredTable, layoutOf } from './table-layout.ts';
import { withTables } from './table-session.ts';
import { openTextOutput } from './text-output.ts';
import { UsageError } from './usage-error.ts';
import { version } from './version.ts';

/** `scd2check compare <old> <new>`: two dimensions as histories. Exits with 0 where they are the same, and 1 where they are not. */
export async function compareCommand(args: Arguments): Promise<number> {
  const cwd = process.cwd();
  const [old, next, ...more] = args.targets;
  if (old === undefined || next === undefined || more.length > 0 || args.program.length > 0)
    throw new UsageError(
      '`scd2check compare` needs two tables: scd2check compare old.parquet new.parquet (files, "pattern/*.parquet", folders, or file.duckdb#table).',
    );
  const remote = [old, next].find(isDatabaseUrl);
  if (remote !== undefined)
    throw new UsageError(
      `\`compare\` works on files and DuckDB tables in this version, not on a table in another engine (\`${new URL(remote).protocol}//…\`). Export the table as Parquet.`,
    );
  const declared = declaredTable(args, await loadConfig(args.value('config'), cwd), cwd);
  const examples = wholeFlag(args, 'examples', 5);
  const output = await openTextOutput(args, [], cwd, loadCompareReporter);
  return withTables(args, `${old}\` or \`${next}`, async (db) => {
    const aligned = align(
      await openSide(db, old, cwd, 'compared_old', declared),
      await openSide(db, next, cwd, 'compared_new', declared),
    );
    const report = await compareTables(db, aligned, { examples, version: version() });
    output(report);
    return report.verdict === 'same' ? 0 : 1;
  });
}

async function openSide(db: Database, name: string, cwd: string, alias: string, declared: DeclaredTable) {
  const { table, layout } = await layoutOf(db, await openTable(db, name, cwd, alias), declared);
  return { table, layout, contract: layout.contract };
}
