import { type Check, whySkipped } from '../checks/check.ts';
import { UsageError } from '../cli/usage-error.ts';
import type { Column } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { suggestion } from '../contract/nearest.ts';
import { AUDIT_CHECKS } from './confirm.ts';
import { DIALECTS, type Dialect } from './dialect.ts';
import { spelled, versionSql } from './version.ts';

/** @throws UsageError for an unknown dialect */
export function dialectOf(id: string): Dialect {
  const found = DIALECTS.find((dialect) => dialect.id === id);
  if (found === undefined) {
    const ids = DIALECTS.map((dialect) => dialect.id);
    throw new UsageError(`There is no SQL dialect \`${id}\`.${suggestion(id, ids)}`);
  }
  return found;
}

/** The rows of a table as `every_version`, with which a statement begins. */
export function everyVersion(
  contract: Contract,
  table: string,
  dialect: Dialect,
  shown: readonly Column[] = [],
): string {
  return `WITH every_version AS (${versionSql(contract, table, dialect, '1 = 1', shown)})`;
}

/** One check over a table, in the words of src/checks/table/. Instants in its result are microseconds since the epoch. */
export function checkSql(
  wanted: Check | 'contiguous',
  contract: Contract,
  table: string,
  dialect: Dialect,
): string {
  const check = wanted === 'contiguous' ? AUDIT_CHECKS.find(({ id }) => id === wanted)! : wanted;
  // Rows without a key are `key-not-null`'s alone.
  const rows = check.id === 'key-not-null' || contract.nullKey === 'value' ? '' : ' WHERE NOT null_key';
  const violations = spelled(check.violations({ contract, oracle: false }), dialect);
  return `${everyVersion(contract, table, dialect)},\nversion AS (SELECT * FROM every_version${rows})\n--\n${violations}`;
}

/** The checks that apply, as statements for an engine that holds the table itself, each under a comment that says what it means. */
export function printSql(
  contract: Contract,
  table: string,
  dialectId: string,
  trackedDeclared: boolean,
): string {
  const dialect = dialectOf(dialectId);
  const applying = AUDIT_CHECKS.filter(
    (check) =>
      whySkipped(check, contract) === null &&
      (check.id !== 'hash-matches' || trackedDeclared) &&
      (check.id !== 'no-repeat' || contract.columns.tracked.length > 0) &&
      (check.id !== 'contiguous' || contract.deletes === 'ignore' || contract.deletes === 'never'),
  );
  return applying
    .map((check) => `-- ${check.id}: ${check.title}\n${checkSql(check, contract, table, dialect)};\n`)
    .join('\n');
}
