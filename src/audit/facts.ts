import { coverage } from '../checks/as-of/coverage.ts';
import { noFanOut } from '../checks/as-of/no-fan-out.ts';
import type { CheckWords } from '../checks/check.ts';
import { at, count } from '../checks/words.ts';
import { UsageError } from '../cli/usage-error.ts';
import type { Cell } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { FOREVER } from '../contract/instant.ts';
import { suggestion } from '../contract/nearest.ts';
import type { Database } from '../duckdb/connection.ts';
import { recordViolations } from './confirm.ts';
import { DUCKDB } from './dialect.ts';
import { displayed } from './findings.ts';
import type { FactsReport } from './report.ts';
import type { AuditTable } from './table.ts';
import { versionSql } from './version.ts';

export const FACT_CHECKS: readonly CheckWords[] = [
  {
    ...noFanOut,
    implies: [],
    message: ({ facts, instant, amount }) =>
      `${count(facts!, 'fact')} of the key ${Number(facts) === 1 ? 'meets' : 'meet'} several versions, the first at ${at(instant!)}: ${Number(amount).toFixed(2)} is counted too much.`,
  },
  {
    ...coverage,
    title: 'Every fact meets a version of its key.',
    implies: [],
    message: ({ facts, instant, amount }) =>
      `${count(facts!, 'fact')} of the key ${Number(facts) === 1 ? 'meets' : 'meet'} no version, the first at ${at(instant!)}: ${Number(amount).toFixed(2)} lands on UNKNOWN.`,
  },
];

export interface FactColumns {
  readonly key: readonly string[];
  readonly time: string;
  /** Null: each fact counts 1. */
  readonly amount: string | null;
}

/** How many lines of each breakdown a report has. */
const TOP = 10;

/**
 * Joins facts to the dimension as of their time, by the contract's half-open interval or by the user's own predicate over `f` and `v`,
 * and says what is counted twice, what is lost, and where.
 */
export async function auditFacts(
  db: Database,
  contract: Contract,
  from: string,
  facts: AuditTable,
  columns: FactColumns,
  join: string | null,
  sensitive: readonly string[],
  showValues: boolean,
): Promise<FactsReport> {
  requireColumns(contract, facts, columns);
  const q = DUCKDB.quote;
  const { key, tracked } = contract.columns;
  const factKeys = columns.key.map((name, index) => `${q(name)} AS ${q(key[index]!.name)}`).join(', ');
  const amount = columns.amount === null ? '1' : `CAST(${q(columns.amount)} AS DOUBLE)`;
  await db.run(`CREATE TABLE audit_fact AS SELECT row_number() OVER () AS fid, ${factKeys}, ${q(columns.time)} AS ts,
    epoch_us(CAST(${q(columns.time)} AS TIMESTAMP)) AS instant, coalesce(${amount}, 0) AS amount FROM ${facts.from}`);
  const interval = `(${versionSql(contract, from, DUCKDB, 'true', [...key, ...tracked])})`;
  const versions = `SELECT *, coalesce(valid_to, ${FOREVER}) AS until FROM ${interval} WHERE NOT is_deleted AND valid_from IS NOT NULL`;
  const sameKey = key.map(({ name }, index) => `f.${q(name)} = v.c${index}`).join(' AND ');
  const values = tracked.map((_, index) => `v.c${key.length + index} AS a${index}`).join(', ');
  await db.run(`CREATE TABLE met AS SELECT f.fid, f.instant, f.amount, v.valid_from IS NOT NULL AS meets${values === '' ? '' : `, ${values}`}
    FROM audit_fact f LEFT JOIN (${versions}) v ON ${sameKey} AND v.valid_from <= f.instant AND f.instant < v.until`);
  await db
    .run(join === null ? 'CREATE VIEW joined AS FROM met' : suppliedJoin(contract, from, join))
    .catch((error: Error) => {
      throw new UsageError(
        `\`--join\` cannot be used: ${error.message.split('\n')[0]} It is a condition over f (the key columns, f.ts, f.amount) and v, the dimension.`,
      );
    });
  await db.run(`CREATE TABLE fact_meets AS SELECT f.fid, any_value(f.amount) AS amount, any_value(f.instant) AS instant,
      any_value(${keyText(contract, 'f')}) AS key, count_if(j.meets) AS meets
    FROM audit_fact f JOIN joined j USING (fid) GROUP BY f.fid`);
  const byKey = (condition: string, moved: string) =>
    `SELECT key, count(*) AS facts, min(instant) AS instant, sum(${moved}) AS amount FROM fact_meets WHERE ${condition} GROUP BY key`;
  await recordViolations(db, 'no-fan-out', byKey('meets > 1', 'amount * (meets - 1)'));
  await recordViolations(db, 'coverage', byKey('meets = 0', 'amount'));
  const [total] = await db.rows<Record<string, Cell>>(`SELECT count(*) AS facts, sum(amount) AS amount,
      count_if(meets > 1) AS fanned, coalesce(sum(amount * (meets - 1)) FILTER (WHERE meets > 1), 0) AS fan_amount,
      count_if(meets = 0) AS unknown, coalesce(sum(amount) FILTER (WHERE meets = 0), 0) AS unknown_amount FROM fact_meets`);
  const number = (name: string) => Number(total![name] ?? 0);
  const groups = async (expression: string, name: string) =>
    db.rows<
      Record<string, Cell>
    >(`SELECT ${expression} AS ${name}, count(*) AS facts, sum(CASE WHEN meets = 0 THEN amount ELSE amount * (meets - 1) END) AS amount
      FROM fact_meets WHERE meets <> 1 GROUP BY 1 ORDER BY abs(sum(CASE WHEN meets = 0 THEN amount ELSE amount * (meets - 1) END)) DESC, 1 LIMIT ${TOP}`);
  const keys = await groups('key', 'place');
  const days = await groups(`strftime(make_timestamp(instant), '%Y-%m-%d')`, 'place');
  return {
    name: facts.name,
    facts: number('facts'),
    amount: number('amount'),
    fanOut: { facts: number('fanned'), amount: number('fan_amount') },
    unknown: { facts: number('unknown'), amount: number('unknown_amount') },
    moves: await moves(db, contract, sensitive, showValues),
    keys: keys.map((row) => ({
      key: String(displayed(row['place'] ?? null, key[0]!.name, { sensitive })),
      facts: Number(row['facts']),
      amount: Number(row['amount']),
    })),
    days: days.map((row) => ({
      day: String(row['place']),
      facts: Number(row['facts']),
      amount: Number(row['amount']),
    })),
  };
}

/** By each tracked attribute: what the total is if every fact counts once, by the half-open join, and what the join under test makes of it. */
async function moves(
  db: Database,
  { columns }: Contract,
  sensitive: readonly string[],
  showValues: boolean,
): Promise<FactsReport['moves']> {
  const all: { attribute: string; once: number; joined: number }[] = [];
  for (const [index, { name }] of columns.tracked.entries()) {
    const member = `CASE WHEN meets THEN coalesce(CAST(a${index} AS VARCHAR), 'NULL') ELSE 'UNKNOWN' END`;
    const rows = await db.rows<Record<string, Cell>>(`WITH once AS (
        SELECT member, sum(amount) AS total FROM (SELECT fid, any_value(amount) AS amount, min(${member}) AS member FROM met GROUP BY fid) GROUP BY 1),
      joined_total AS (SELECT ${member} AS member, sum(amount) AS total FROM joined GROUP BY 1)
      SELECT coalesce(o.member, j.member) AS member, coalesce(o.total, 0) AS once, coalesce(j.total, 0) AS joined
      FROM once o FULL JOIN joined_total j ON o.member = j.member
      WHERE abs(coalesce(o.total, 0) - coalesce(j.total, 0)) > 0.000001 ORDER BY abs(coalesce(o.total, 0) - coalesce(j.total, 0)) DESC, 1 LIMIT ${TOP}`);
    for (const row of rows) {
      const value = String(row['member']);
      const open = showValues || value === 'UNKNOWN' || value === 'NULL';
      const shown = displayed(value, name, { sensitive: open ? sensitive : [name] });
      all.push({ attribute: `${name} ${shown}`, once: Number(row['once']), joined: Number(row['joined']) });
    }
  }
  return all;
}

function suppliedJoin({ columns }: Contract, from: string, join: string): string {
  const q = DUCKDB.quote;
  const sameKey = columns.key.map(({ name }) => `f.${q(name)} = v.${q(name)}`).join(' AND ');
  const values = columns.tracked.map(({ name }, index) => `, v.${q(name)} AS a${index}`).join('');
  return `CREATE TABLE joined AS SELECT f.fid, f.instant, f.amount, v.${q(columns.key[0]!.name)} IS NOT NULL AS meets${values}
    FROM audit_fact f LEFT JOIN ${from} v ON ${sameKey} AND (${join})`;
}

function keyText({ columns }: Contract, alias: string): string {
  return columns.key
    .map(({ name }) => `CAST(${alias}.${DUCKDB.quote(name)} AS VARCHAR)`)
    .join(` || ' · ' || `);
}

function requireColumns(contract: Contract, facts: AuditTable, columns: FactColumns): void {
  const names = facts.columns.map(({ name }) => name);
  for (const name of [...columns.key, columns.time, ...(columns.amount === null ? [] : [columns.amount])]) {
    if (!names.includes(name))
      throw new UsageError(
        `The facts \`${facts.name}\` have no column \`${name}\`.${suggestion(name, names)}`,
      );
  }
  const { key } = contract.columns;
  if (columns.key.length !== key.length)
    throw new UsageError(
      `The key of the dimension has ${key.length} columns (${key.map(({ name }) => name).join(', ')}), and \`--fact-key\` names ${columns.key.length}.`,
    );
}
