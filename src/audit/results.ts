import type { CheckWords } from '../checks/check.ts';
import type { Database } from '../duckdb/connection.ts';
import type { Problem } from '../runner/report.ts';
import type { Tally } from './confirm.ts';
import { DUCKDB } from './dialect.ts';
import { isTooMany } from './gate.ts';
import type { AuditOptions } from './options.ts';
import { repairSql } from './repair.ts';
import type { AuditCheck, AuditReport } from './report.ts';
import { MASS_CLOSE, type Screened } from './screen.ts';
import type { AuditTable } from './table.ts';

/** Fewer keys than this close together by chance. */
const FEW_KEYS = 20;

/** How often each check that is part of every audit was put to the test, by its id. */
export function exercisedOf(
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

const NONE: Tally = { count: 0, leading: 0, fresh: 0, keys: 0 };

/** What a check came to. */
export function checkResult(
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

/** Checks that nothing puts to the test. */
export function problemsOf(checks: readonly AuditCheck[]): Problem[] {
  const open = checks.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id);
  if (open.length === 0) return [];
  const message = `Nothing in the table puts ${open.join(', ')} to the test, so that nothing is known of ${open.length === 1 ? 'it' : 'them'}.`;
  return [{ kind: 'not-exercised', message }];
}

/** How the findings stand to those that the baseline knows. */
export async function againstBaseline(db: Database): Promise<NonNullable<AuditReport['baseline']>> {
  const [row] = await db.rows<Record<string, bigint>>(
    `SELECT (SELECT count(*) FROM judged WHERE NOT known) AS new, (SELECT count(*) FROM judged WHERE known) AS known,
       (SELECT count(*) FROM baseline WHERE id NOT IN (SELECT id FROM judged)) AS resolved`,
  );
  return { new: Number(row!['new']), known: Number(row!['known']), resolved: Number(row!['resolved']) };
}

/** One load that closed many keys for good: a truncated source looks like that. */
export async function massClose(db: Database, keys: number): Promise<string[]> {
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
