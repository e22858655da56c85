import type { Check } from '../checks/check.ts';
import { UsageError } from '../cli/usage-error.ts';
import type { Contract } from '../contract/contract.ts';
import { suggestion } from '../contract/nearest.ts';
import { AUDIT_CHECKS } from './confirm.ts';
import { DIALECTS, type Dialect } from './dialect.ts';
import { spelled, versionSql } from './version.ts';

/** One check as a statement that returns the rows which violate it. */
export interface CheckStatement {
  readonly check: Check;
  readonly sql: string;
}

/** @throws UsageError for an unknown dialect */
export function dialectOf(id: string): Dialect {
  const found = DIALECTS.find((dialect) => dialect.id === id);
  if (found === undefined) {
    const ids = DIALECTS.map((dialect) => dialect.id);
    throw new UsageError(`There is no SQL dialect \`${id}\`.${suggestion(id, ids)}`);
  }
  return found;
}

/**
 * The table checks for an engine that holds the table itself, each over the same relation `version` and in the words of src/checks/table/.
 * Instants in the result are microseconds since the epoch.
 */
export function checkStatements(
  contract: Contract,
  table: string,
  dialect: Dialect,
  trackedDeclared: boolean,
): readonly CheckStatement[] {
  const version = versionSql(contract, table, dialect);
  const applying = AUDIT_CHECKS.filter(
    (check) =>
      check.skip(contract) === null &&
      (check.id !== 'hash-matches' || trackedDeclared) &&
      (check.id !== 'no-repeat' || contract.columns.tracked.length > 0) &&
      (check.id !== 'contiguous' || contract.deletes === 'ignore' || contract.deletes === 'never'),
  );
  return applying.map((check) => {
    // Rows without a key are `key-not-null`'s alone.
    const rows = check.id === 'key-not-null' || contract.nullKey === 'value' ? '' : ' WHERE NOT null_key';
    const violations = spelled(check.violations({ contract, oracle: false }), dialect);
    const sql = `WITH every_version AS (${version}),\nversion AS (SELECT * FROM every_version${rows})\n${violations}`;
    return { check, sql };
  });
}

/** All statements, each under a comment that says what it means. */
export function printSql(
  contract: Contract,
  table: string,
  dialectId: string,
  trackedDeclared: boolean,
): string {
  const dialect = dialectOf(dialectId);
  return checkStatements(contract, table, dialect, trackedDeclared)
    .map(({ check, sql }) => `-- ${check.id}: ${check.title}\n${sql};\n`)
    .join('\n');
}
