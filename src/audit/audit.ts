import { contractToJson } from '../contract/print.ts';
import type { Database } from '../duckdb/connection.ts';
import { columnsRead, skipReasons } from './applicable.ts';
import { compareMore } from './compare-more.ts';
import { AUDIT_CHECKS, fold, tallies } from './confirm.ts';
import { examplesOf } from './findings.ts';
import { lookHere, refuseTiny } from './look-here.ts';
import { type AuditOptions, shownColumns, whereOf } from './options.ts';
import type { AuditFinding, AuditReport } from './report.ts';
import { againstBaseline, checkResult, exercisedOf, massClose, problemsOf } from './results.ts';

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
  const look = options.look ?? lookHere(options, where, timed);
  const { rows, nulls, screened, gaps } = await look(db, contract, active, shown);
  refuseTiny(rows, options, where);
  const exercised = new Map(Object.entries(exercisedOf(screened, nulls, gaps)));
  const notes = [...layout.notes];
  const extra = await timed('compare', () => compareMore(db, options, where, notes, exercised));
  await timed('fold', () => fold(db, options.baseline));
  const counted = await tallies(db);
  const checks = [...AUDIT_CHECKS, ...extra.checks].map((check) =>
    checkResult(check, counted.get(check.id), screened.keys, exercised, skips, options),
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
