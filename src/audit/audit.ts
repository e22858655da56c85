import type { CheckWords } from '../checks/check.ts';
import { UsageError } from '../cli/usage-error.ts';
import type { Column } from '../contract/columns.ts';
import { contractToJson } from '../contract/print.ts';
import type { Database } from '../duckdb/connection.ts';
import { quoteText } from '../duckdb/sql.ts';
import type { Problem } from '../runner/report.ts';
import { AUDIT_CHECKS, confirm, countGaps, fold, type Tally, tallies, violationTable } from './confirm.ts';
import { DUCKDB } from './dialect.ts';
import { auditFacts, FACT_CHECKS, type FactColumns } from './facts.ts';
import { examplesOf } from './findings.ts';
import { type Gates, isTooMany } from './gate.ts';
import { addHashSuspects } from './hash-screen.ts';
import type { Layout } from './layout.ts';
import type { Look } from './look.ts';
import { screenInOrder } from './ordered.ts';
import { compareWithPrevious, HISTORY_KEPT, isDigest } from './previous.ts';
import { repairSql } from './repair.ts';
import type { AuditCheck, AuditFinding, AuditReport } from './report.ts';
import { restatedFacts } from './restated-facts.ts';
import { type ScopeOptions, scopeConditions } from './scope.ts';
import { MASS_CLOSE, type Screened, screen, screenSql } from './screen.ts';
import { compareWithSource, MATCHES_SOURCE } from './source.ts';
import { type AuditTable, numberedFile } from './table.ts';

/** Every check that an audit may run, in the order of reports. */
export const ALL_AUDIT_CHECKS: readonly CheckWords[] = [
  ...AUDIT_CHECKS,
  MATCHES_SOURCE,
  HISTORY_KEPT,
  ...FACT_CHECKS,
];

export interface AuditOptions {
  readonly table: AuditTable;
  readonly layout: Layout;
  readonly source: AuditTable | null;
  readonly previous: AuditTable | null;
  readonly facts: {
    readonly table: AuditTable;
    readonly columns: FactColumns;
    readonly join: string | null;
  } | null;
  readonly scope: ScopeOptions;
  readonly gates: Gates;
  readonly warnError: boolean;
  /** Ids that the baseline knows; null where there is none. */
  readonly baseline: readonly string[] | null;
  /** Findings of each check that are reported as rows. */
  readonly examples: number;
  readonly showValues: boolean;
  readonly sensitive: readonly string[];
  /** Every key is looked at closely; nothing is screened. */
  readonly exact: boolean;
  /** Where the table is looked at in another engine; left out, DuckDB reads it here. */
  readonly look?: Look;
  /** Microseconds. */
  readonly now: bigint;
  readonly version: string;
  readonly command: string;
  onPart(part: string): void;
}

/** Fewer keys than this close together by chance. */
const FEW_KEYS = 20;

/** Audits a table that is open in `db`. Tables `judged` and `v:…` stay, for a baseline and for stored failures. */
export async function audit(db: Database, options: AuditOptions): Promise<AuditReport> {
  const began = performance.now();
  const parts: Record<string, number> = {};
  const timed = async <T>(part: string, work: () => Promise<T>): Promise<T> => {
    options.onPart(part);
    const start = performance.now();
    const result = await work();
    parts[part] = (parts[part] ?? 0) + performance.now() - start;
    return result;
  };
  const { table, layout } = options;
  const { contract } = layout;
  const { from } = table;
  const where = whereOf(options);
  const skips = skipReasons(options);
  const active = AUDIT_CHECKS.filter(({ id }) => !skips.has(id));
  const shown = shownColumns(options);
  const look = options.look ?? lookLocally(options, where, timed);
  const { rows, nulls, screened, gaps } = await look(db, contract, active, shown);
  refuseTiny(rows, options, where);
  const exercised = new Map(Object.entries(exercisedOf(screened, nulls, gaps)));
  const notes = [...layout.notes];
  const extra = await timed('compare', () => compareMore(db, options, where, notes, exercised));
  await timed('fold', () => fold(db, options.baseline));
  const counted = await tallies(db);
  const checks = [...AUDIT_CHECKS, ...extra.checks].map((check) =>
    result(check, counted.get(check.id), screened.keys, exercised, skips, options),
  );
  const showing = { contract, from, shown, examples: options.examples, sensitive: options.sensitive };
  const findings: AuditFinding[] = [];
  for (const check of [...AUDIT_CHECKS, ...extra.checks]) {
    if ((counted.get(check.id)?.leading ?? 0) > 0) findings.push(...(await examplesOf(db, check, showing)));
  }
  const notices = await massClose(db, screened.keys);
  if (gaps > 0 && skips.has('contiguous'))
    notices.push(
      `${gaps} gaps between versions of a key: right where the key was deleted and came back, which \`deletes: ${contract.deletes}\` allows. \`--set deletes=never\` makes them findings.`,
    );
  const problems = problemsOf(checks);
  const failed = checks.some(
    ({ verdict }) => verdict === 'fail' || (options.warnError && verdict === 'warn'),
  );
  return {
    schema: 1,
    kind: 'audit',
    tool: { name: 'scd2check', version: options.version },
    command: options.command,
    table: {
      name: table.name,
      rows,
      keys: screened.keys,
      open: screened.open,
      nullKeys: nulls,
      gaps,
      suspects: options.exact ? screened.keys : screened.suspects,
      columns: columnsRead(options),
    },
    contract: contractToJson(contract),
    notes,
    notices,
    verdict: failed ? 'fail' : problems.length > 0 ? 'inconclusive' : 'pass',
    problems,
    checks,
    findings,
    baseline: options.baseline === null ? null : await againstBaseline(db),
    facts: extra.facts,
    previous: extra.previous,
    timings: { totalMs: performance.now() - began, parts },
  };
}

/** The condition by which rows are in scope: whole keys, never single rows. */
export function whereOf({ layout, table, scope, now }: AuditOptions): string {
  const conditions = scopeConditions(layout.contract, table.from, scope, now);
  return conditions.length === 0 ? 'true' : conditions.join(' AND ');
}

/** Why a check does not apply to this table, by its id. */
function skipReasons({ layout, gates, exact }: AuditOptions): Map<string, string> {
  const { contract, trackedDeclared } = layout;
  const { columns } = contract;
  const reasons = new Map<string, string>();
  const skip = (id: string, reason: string) => reasons.has(id) || reasons.set(id, reason);
  for (const { id } of ALL_AUDIT_CHECKS) if (gates.get(id)?.severity === 'off') skip(id, 'switched off');
  for (const check of AUDIT_CHECKS) {
    const reason = check.skip(contract);
    if (reason !== null) skip(check.id, reason);
  }
  if (contract.deletes === 'close' || contract.deletes === 'marker-row')
    skip(
      'contiguous',
      `under \`deletes: ${contract.deletes}\` a gap may be a key that was deleted and came back; gaps are counted`,
    );
  if (columns.tracked.length === 0) skip('no-repeat', 'no attribute is known to be tracked');
  if (contract.reappearance === 'bridge' || contract.stamp === 'row-time')
    skip('no-repeat', 'under this contract a key that came back unchanged is a new version by right');
  if (!trackedDeclared) skip('hash-matches', 'which attributes the hash is over was not declared: --tracked');
  if (columns.validTo === null && !exact)
    for (const id of ['no-overlap', 'contiguous', 'one-open-version', 'open-is-latest'])
      skip(id, 'the table has no end column: a version ends where the next one starts');
  return reasons;
}

function shownColumns({ layout, showValues }: AuditOptions): readonly Column[] {
  const { key, tracked } = layout.contract.columns;
  return showValues ? [...key, ...tracked] : key;
}

/** The columns that the checks which apply need. */
export function columnsRead(options: AuditOptions): readonly string[] {
  const { columns } = options.layout.contract;
  const skips = skipReasons(options);
  const needed = [
    ...columns.key,
    columns.validFrom,
    columns.validTo,
    skips.has('no-repeat') && skips.has('hash-matches') && options.previous === null ? [] : columns.tracked,
    skips.has('current-flag') ? null : columns.isCurrent,
    options.layout.contract.deletes === 'marker-row' ? columns.isDeleted : null,
    skips.has('hash-matches') ? null : columns.hash,
    skips.has('surrogate-key-unique') ? null : columns.surrogateKey,
  ].flat();
  return needed.filter((column) => column !== null).map(({ name }) => name);
}

function refuseTiny(rows: number, { table }: AuditOptions, where: string): void {
  const scope = where === 'true' ? '' : ' in the scope that was asked for';
  if (rows === 0)
    throw new UsageError(
      `\`${table.name}\` has no row${scope}. An empty dimension cannot be judged: is it the right table?`,
    );
  if (rows === 1)
    throw new UsageError(
      `\`${table.name}\` has one row${scope}. One version alone cannot overlap, repeat or leave a gap: there is nothing to judge.`,
    );
}

type Timed = <T>(part: string, work: () => Promise<T>) => Promise<T>;

/** One pass, and the checks over what it suspects. */
function lookLocally(options: AuditOptions, where: string, timed: Timed): Look {
  const { from } = options.table;
  return async (db, contract, checks, shown) => {
    // What a file says of itself, where it is not read for that.
    const rows = await timed('count', () => countRows(db, from, where));
    refuseTiny(rows, options, where);
    const screening = {
      contract,
      from,
      where,
      repeats: checks.some(({ id }) => id === 'no-repeat'),
    };
    const everything = options.exact;
    const file = everything ? null : await numberedFile(db, options.table);
    const looksAtHashes = !everything && checks.some(({ id }) => id === 'hash-matches');
    const screened = await timed('screen', async () => {
      const inOrder = file === null ? null : await screenInOrder(db, screening, file);
      const one = inOrder ?? (await screen(db, screening, everything));
      const more = looksAtHashes ? await addHashSuspects(db, screening) : 0;
      return { ...one, suspects: one.suspects + more };
    });
    const nulls = rows - screened.rows;
    await timed('confirm', () =>
      confirm(db, { contract, from, where, checks, shown, everything, nullKeys: nulls }),
    );
    const gaps = await timed('confirm', () => countGaps(db, contract));
    return { rows, nulls, screened, gaps };
  };
}

async function countRows(db: Database, from: string, where: string): Promise<number> {
  const [row] = await db.rows<{ rows: bigint }>(
    `SELECT count(*) AS rows FROM ${from}${where === 'true' ? '' : ` WHERE ${where}`}`,
  );
  return Number(row!.rows);
}

function exercisedOf(
  { rows, keys, open, many, manyOpen }: Screened,
  nullKeys: number,
  gaps: number,
): Record<string, number> {
  return {
    'key-not-null': rows + nullKeys,
    'bounds-valid': rows,
    'unique-start': rows,
    'one-open-version': open,
    'no-overlap': many,
    contiguous: many,
    'open-is-latest': manyOpen,
    'current-flag': rows,
    'no-repeat': Math.max(0, rows - keys - gaps),
    'surrogate-key-unique': rows,
    'hash-matches': many,
  };
}

async function compareMore(
  db: Database,
  options: AuditOptions,
  where: string,
  notes: string[],
  exercised: Map<string, number>,
) {
  const { contract, trackedDeclared } = options.layout;
  const { from } = options.table;
  const checks: CheckWords[] = [];
  if (options.source !== null) {
    const compared = await compareWithSource(db, contract, from, where, options.source, trackedDeclared);
    exercised.set(MATCHES_SOURCE.id, compared.exercised);
    if (compared.note !== null) notes.push(compared.note);
    checks.push(MATCHES_SOURCE);
  }
  const previous =
    options.previous === null
      ? null
      : await compareWithPrevious(db, contract, { from, where }, options.previous);
  if (previous !== null) {
    exercised.set(HISTORY_KEPT.id, previous.closed);
    checks.push(HISTORY_KEPT);
  }
  const { facts } = options;
  const factsReport =
    facts === null
      ? null
      : await auditFacts(
          db,
          contract,
          from,
          facts.table,
          facts.columns,
          facts.join,
          options.sensitive,
          options.showValues,
        );
  if (factsReport !== null) {
    for (const check of FACT_CHECKS) exercised.set(check.id, factsReport.facts);
    checks.push(...FACT_CHECKS);
  }
  const figures =
    previous === null || options.previous === null || factsReport === null || isDigest(options.previous)
      ? null
      : await restatedFacts(db, contract, from, options.previous, options);
  return { checks, previous: previous === null ? null : { ...previous, figures }, facts: factsReport };
}

const NONE: Tally = { count: 0, leading: 0, fresh: 0, keys: 0 };

function result(
  { id, title }: CheckWords,
  tally: Tally = NONE,
  keys: number,
  exercised: ReadonlyMap<string, number>,
  skips: ReadonlyMap<string, string>,
  { gates, layout, table }: AuditOptions,
): AuditCheck {
  const gate = gates.get(id)!;
  const share = keys === 0 ? 0 : tally.keys / keys;
  const skipReason = skips.get(id);
  const times = exercised.get(id) ?? 0;
  const repair = tally.leading === 0 ? null : repairSql(id, layout.contract, '<table>', DUCKDB);
  const verdict = (): AuditCheck['verdict'] => {
    if (skipReason !== undefined) return 'skipped';
    if (isTooMany(gate, tally.fresh, share)) return gate.severity === 'warn' ? 'warn' : 'fail';
    if (tally.count > 0 && tally.leading === 0) return 'follows';
    return times === 0 ? 'inconclusive' : 'pass';
  };
  return {
    id,
    title,
    verdict: verdict(),
    severity: gate.severity === 'warn' ? 'warn' : 'error',
    exercised: skipReason === undefined ? times : 0,
    ...tally,
    share,
    allowed: { count: gate.count, share: gate.share },
    ...(skipReason === undefined ? {} : { skipReason }),
    ...(repair === null ? {} : { repair: repair.replaceAll('<table>', tableInSql(table)) }),
  };
}

function tableInSql({ name }: AuditTable): string {
  const at = name.lastIndexOf('#');
  return at < 1 ? 'dimension' : name.slice(at + 1);
}

function problemsOf(checks: readonly AuditCheck[]): Problem[] {
  const open = checks.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id);
  if (open.length === 0) return [];
  const message = `Nothing in the table puts ${open.join(', ')} to the test, so that nothing is known of ${open.length === 1 ? 'it' : 'them'}.`;
  return [{ kind: 'not-exercised', message }];
}

async function againstBaseline(db: Database): Promise<NonNullable<AuditReport['baseline']>> {
  const [row] = await db.rows<Record<string, bigint>>(
    `SELECT (SELECT count(*) FROM judged WHERE NOT known) AS new, (SELECT count(*) FROM judged WHERE known) AS known,
       (SELECT count(*) FROM baseline WHERE id NOT IN (SELECT id FROM judged)) AS resolved`,
  );
  return { new: Number(row!['new']), known: Number(row!['known']), resolved: Number(row!['resolved']) };
}

/** One load that closed many keys for good: a truncated source looks like that. */
async function massClose(db: Database, keys: number): Promise<string[]> {
  const rows = await db.rows<{ gone: string; keys: bigint }>(
    `SELECT strftime(gone, '%Y-%m-%d %H:00') AS gone, sum(keys)::BIGINT AS keys FROM screened
     WHERE gone IS NOT NULL GROUP BY gone ORDER BY keys DESC LIMIT 1`,
  );
  const [most] = rows;
  if (most === undefined || Number(most.keys) < Math.max(FEW_KEYS, MASS_CLOSE * keys)) return [];
  const percent = ((100 * Number(most.keys)) / keys).toFixed(0);
  return [
    `${most.keys} of ${keys} keys (${percent} %) ended for good in the hour from ${most.gone} UTC. A source that came truncated or empty looks like that.`,
  ];
}

/** Every violation's id, sorted: what a baseline is made of. */
export async function violationIds(db: Database): Promise<readonly string[]> {
  const rows = await db.rows<{ id: string }>('SELECT DISTINCT id FROM violation ORDER BY id');
  return rows.map(({ id }) => id);
}

/** Writes offending rows, at most so many, and returns how many there are. */
export async function storeFailures(
  db: Database,
  path: string,
  limit: number,
): Promise<{ readonly stored: number; readonly all: number }> {
  const checks = await db.rows<{ id: string }>('SELECT DISTINCT check_id AS id FROM judged ORDER BY 1');
  const parts = checks.map(
    ({ id }) =>
      `SELECT ${quoteText(id)} AS "check", j.key, j.known, j.folded AS follows, CAST(v AS VARCHAR) AS found FROM ${violationTable(id)} v JOIN judged j ON j.check_id = ${quoteText(id)} AND j.seq = v.seq`,
  );
  const rows = parts.length === 0 ? `SELECT '' AS "check", '' AS key WHERE false` : parts.join(' UNION ALL ');
  const format = path.endsWith('.parquet') ? 'parquet' : path.endsWith('.json') ? 'json' : 'csv';
  await db.run(
    `COPY (SELECT * FROM (${rows}) ORDER BY 1, 2 LIMIT ${limit}) TO ${quoteText(path)} (FORMAT ${format})`,
  );
  const [row] = await db.rows<{ all: bigint }>('SELECT count(*) AS "all" FROM judged');
  return { stored: Math.min(limit, Number(row!.all)), all: Number(row!.all) };
}

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
