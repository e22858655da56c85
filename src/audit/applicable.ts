import { type CheckWords, whySkipped } from '../checks/check.ts';
import { AUDIT_CHECKS } from './confirm.ts';
import { FACT_CHECKS } from './facts.ts';
import type { AuditOptions } from './options.ts';
import { HISTORY_KEPT } from './previous.ts';
import { MATCHES_SOURCE } from './source.ts';

/** Every check that an audit may run, in the order of reports. */
export const ALL_AUDIT_CHECKS: readonly CheckWords[] = [
  ...AUDIT_CHECKS,
  MATCHES_SOURCE,
  HISTORY_KEPT,
  ...FACT_CHECKS,
];

/** Why a check does not apply to this table, by its id. */
export function skipReasons({ layout, gates, exact }: AuditOptions): Map<string, string> {
  const { contract, trackedDeclared } = layout;
  const { columns } = contract;
  const reasons = new Map<string, string>();
  const skip = (id: string, reason: string) => reasons.has(id) || reasons.set(id, reason);
  for (const { id } of ALL_AUDIT_CHECKS) if (gates.get(id)?.severity === 'off') skip(id, 'switched off');
  for (const check of AUDIT_CHECKS) {
    const reason = whySkipped(check, contract);
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
