import { ALL_AUDIT_CHECKS } from '../../src/audit/applicable.ts';
import { audit } from '../../src/audit/audit.ts';
import { readGates } from '../../src/audit/gate.ts';
import { layOut } from '../../src/audit/layout.ts';
import type { AuditTable } from '../../src/audit/table.ts';
import { declareContract } from '../../src/contract/declare.ts';
import type { Database } from '../../src/duckdb/connection.ts';

/**
 * An audit of a table alone, with all checks but those that are switched off, and no gate. `settings` are lines of a contract, such as
 * `deletes=never`.
 */
export function bareAudit(
  db: Database,
  table: AuditTable,
  settings: readonly string[],
  {
    examples,
    exact,
    off = [],
  }: { readonly examples: number; readonly exact: boolean; readonly off?: readonly string[] },
) {
  const lines = settings.map((line) => {
    const [name, value] = line.split('=');
    return { name: name!, value: value!, where: 'test' };
  });
  return audit(db, {
    table,
    layout: layOut(declareContract([lines]), table),
    source: null,
    previous: null,
    facts: null,
    scope: { keysWhere: null, changedSince: null, minAge: null, sample: null },
    gates: readGates(
      ALL_AUDIT_CHECKS.map(({ id }) => id),
      off.map((id) => `${id}=off`),
      [],
    ),
    warnError: false,
    baseline: null,
    examples,
    showValues: false,
    sensitive: [],
    exact,
    now: 0n,
    version: '0',
    command: '',
    onPart: () => undefined,
  });
}
