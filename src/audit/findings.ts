import { createHash } from 'node:crypto';
import type { CheckWords } from '../checks/check.ts';
import type { Cell, Column } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { FOREVER, formatInstant } from '../contract/instant.ts';
import type { Database } from '../duckdb/connection.ts';
import { quoteText } from '../duckdb/sql.ts';
import type { JsonRow } from '../runner/report.ts';
import { violationTable } from './confirm.ts';
import { DUCKDB } from './dialect.ts';
import type { AuditFinding, AuditRow } from './report.ts';
import { versionSql } from './version.ts';

export interface Showing {
  readonly contract: Contract;
  readonly from: string;
  /** Columns of the relations that hold values as they are: those of the key, and attributes where they are shown. */
  readonly shown: readonly Column[];
  /** At most so many of each check. */
  readonly examples: number;
  /** Columns that are shown as a hash wherever they are shown. */
  readonly sensitive: readonly string[];
}

/** Most versions of a key that a finding shows, and how many stand before the first that it names. */
const AROUND = 6;
const BEFORE = 2;

/** The first violations of a check that follow from no other: new ones before known ones. */
export async function examplesOf(db: Database, check: CheckWords, showing: Showing): Promise<AuditFinding[]> {
  const rows = await db.rows<Record<string, Cell>>(
    `SELECT v.*, j.known AS "finding known" FROM ${violationTable(check.id)} v JOIN judged j USING (seq)
     WHERE j.check_id = ${quoteText(check.id)} AND NOT j.folded ORDER BY j.known, seq LIMIT ${showing.examples}`,
  );
  const findings: AuditFinding[] = [];
  const relation = rows.length === 0 ? '' : await relationOf(db, check, rows, showing);
  for (const { 'finding id': id, 'finding known': known, seq: _, ...found } of rows) {
    const { key, versions } = await versionsOf(db, check.id, relation, found, showing);
    findings.push({
      id: `${check.id}-${id}`,
      check: check.id,
      state: known === true ? 'known' : 'new',
      key,
      message: check.message(found),
      rows: versions,
    });
  }
  return findings;
}

async function versionsOf(
  db: Database,
  check: string,
  relation: string,
  found: Readonly<Record<string, Cell>>,
  showing: Showing,
): Promise<{ key: JsonRow | null; versions: readonly AuditRow[] }> {
  const which =
    check === 'surrogate-key-unique'
      ? `surrogate = ${quoteText(String(found['surrogate']))}`
      : `${found['key'] === null ? 'key IS NULL' : `key = ${quoteText(String(found['key']))}`}`;
  const rows = await db.rows<Record<string, Cell>>(
    `SELECT * FROM ${relation} WHERE ${which} ORDER BY valid_from NULLS FIRST, row LIMIT 1000`,
  );
  const named = rows.map((row) => isNamed(row, found));
  const first = Math.max(0, named.indexOf(true) - BEFORE);
  const { key } = showing.contract.columns;
  const shown = showing.shown.slice(key.length);
  const values = (row: Readonly<Record<string, Cell>>, columns: typeof key, from: number): JsonRow =>
    Object.fromEntries(
      columns.map(({ name }, index) => [name, displayed(row[`c${from + index}`] ?? null, name, showing)]),
    );
  return {
    key: rows[0] === undefined ? textKey(found['key'] ?? null, key, showing) : values(rows[0], key, 0),
    versions: rows.slice(first, first + AROUND).map((row, index) => ({
      values: values(row, shown, key.length),
      validFrom: instant(row['valid_from']),
      validTo: instant(row['valid_to']),
      isCurrent: (row['is_current'] ?? null) as boolean | null,
      marked: named[first + index]!,
    })),
  };
}

/** The versions that findings of a check show. Those of keys that the screen had cleared are read from the table. */
async function relationOf(
  db: Database,
  { id, group }: CheckWords,
  rows: readonly Readonly<Record<string, Cell>>[],
  { contract, from, shown }: Showing,
): Promise<string> {
  if (group === 'table') return RELATIONS[id] ?? 'suspect_version';
  const keys = rows.map((row) => quoteText(String(row['key']))).join(', ');
  await db.run(`CREATE OR REPLACE TABLE example_version AS SELECT * FROM (${versionSql(contract, from, DUCKDB, 'true', shown)})
    WHERE key IN (${keys})`);
  return 'example_version';
}

/** The key of a finding of which the dimension has no version. */
function textKey(value: Cell, key: readonly Column[], showing: Showing): JsonRow | null {
  if (value === null) return null;
  const name = key.map((column) => column.name).join(' · ');
  return { [name]: displayed(value, key[0]!.name, showing) };
}

const RELATIONS: Readonly<Record<string, string>> = {
  'key-not-null': 'null_version',
  'surrogate-key-unique': 'surrogate_version',
};

/** Whether a violation names a version: by its start, by a boundary that it touches, or by being open. */
function isNamed(row: Readonly<Record<string, Cell>>, found: Readonly<Record<string, Cell>>): boolean {
  const same = (a: Cell | undefined, b: Cell | undefined) =>
    a !== null && a !== undefined && b !== null && b !== undefined && String(a) === String(b);
  if ('open' in found) return row['is_open'] === true;
  if ('opened' in found)
    return same(row['valid_from'], found['opened']) || same(row['valid_from'], found['latest']);
  if ('boundary' in found)
    return same(row['valid_from'], found['boundary']) || same(row['valid_to'], found['boundary']);
  if ('gap_from' in found)
    return same(row['valid_from'], found['gap_to']) || same(row['valid_to'], found['gap_from']);
  if ('collides' in found) return true;
  if ('surrogate' in found && 'rows' in found) return true;
  const start = found['valid_from'];
  const from = start === null ? row['valid_from'] === null : same(row['valid_from'], start);
  const to = found['valid_to'];
  return from && (to === undefined || (to === null ? row['valid_to'] === null : same(row['valid_to'], to)));
}

function instant(micros: Cell | undefined): string | null {
  if (micros === null || micros === undefined) return null;
  const text = String(micros);
  return text === `${FOREVER}`
    ? 'infinity'
    : text === `-${FOREVER}`
      ? '-infinity'
      : formatInstant(BigInt(text));
}

/** A value as reports show it; a sensitive one by the first digits of its hash. */
export function displayed(
  value: Cell,
  column: string,
  { sensitive }: Pick<Showing, 'sensitive'>,
): JsonRow[string] {
  if (value === null) return null;
  if (sensitive.includes(column))
    return `#${createHash('sha256').update(String(value)).digest('hex').slice(0, 12)}`;
  return typeof value === 'bigint' ? value.toString() : value;
}
