import { columnsRead, skipReasons } from './applicable.ts';
import { type AuditOptions, whereOf } from './options.ts';
import { screenSql } from './screen.ts';

/** What an audit would run, without running it. */
export function dryRun(options: AuditOptions): { readonly sql: string; readonly columns: readonly string[] } {
  const skips = skipReasons(options);
  const { contract } = options.layout;
  return {
    columns: columnsRead(options),
    sql: `-- One Parquet file in the order of its keys is read row beside row instead.\n${screenSql({
      contract,
      from: options.table.from,
      where: whereOf(options),
      repeats: !skips.has('no-repeat'),
    })}`,
  };
}
