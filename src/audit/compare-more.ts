import type { CheckWords } from '../checks/check.ts';
import type { Database } from '../duckdb/connection.ts';
import { auditFacts, FACT_CHECKS } from './facts.ts';
import type { AuditOptions } from './options.ts';
import { compareWithPrevious, HISTORY_KEPT, isDigest } from './previous.ts';
import { restatedFacts } from './restated-facts.ts';
import { compareWithSource, MATCHES_SOURCE } from './source.ts';

/** What is asked beside the table itself: its source, an earlier copy, facts. */
export async function compareMore(
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
