/** A case as it stands: the contract its figures are meant for, and its feed on columns of its own names. */
import type { Column, ColumnType } from '../src/contract/columns.ts';
import type { Contract } from '../src/contract/contract.ts';
import { STRICT } from '../src/contract/presets.ts';
import type { Feed } from '../src/feed/feed.ts';
import type { Case, CaseColumn } from './case.ts';
import { mapCase } from './mapping.ts';

/** `strict`, with the first option of each field that the case needs, and columns named as the case names them. */
export function contractOfCase({ columns, needs, batches }: Case): Contract {
  const { compare, keyCompare, ...fields } = needs;
  const firsts = Object.entries(fields).map(([field, options]) => [field, options[0]]);
  const rows = batches.flatMap((batch) => batch.rows);
  const role = (used: true | undefined, name: string, type: ColumnType, cells: string): Column | null =>
    used ? { name, type, nullable: rows.some((row) => (row[cells] ?? null) === null) } : null;
  return {
    ...STRICT,
    ...Object.fromEntries(firsts),
    ...(columns.firstStart && { firstStart: 'first_start' }),
    compare: compare ?? STRICT.compare,
    keyCompare: keyCompare ?? STRICT.keyCompare,
    columns: {
      key: columns.key.map(columnOf),
      tracked: columns.tracked.map(columnOf),
      untracked: (columns.untracked ?? []).map(columnOf),
      validFrom: { name: 'valid_from', type: 'timestamp', nullable: false },
      validTo: { name: 'valid_to', type: 'timestamp', nullable: true },
      isCurrent: { name: 'is_current', type: 'boolean', nullable: false },
      isDeleted: columns.isDeleted ? { name: 'is_deleted', type: 'boolean', nullable: false } : null,
      hash: null,
      surrogateKey: null,
      previous: [],
      current: [],
      inHistory: null,
      changedAt: role(columns.changedAt, 'changed_at', 'timestamp', 'changedAt'),
      operation: role(columns.operation, 'operation', 'text', 'operation'),
      sequence: role(columns.sequence, 'sequence', 'integer', 'sequence'),
      partition: role(columns.partition, 'partition', 'text', 'partition'),
    },
  };
}

/** The case's feed under `contractOfCase`. */
export function feedOfCase(theCase: Case): Feed {
  const mapped = mapCase(theCase, contractOfCase(theCase));
  if ('skip' in mapped)
    throw new Error(`The case ${theCase.id} does not fit its own contract: ${mapped.skip}`);
  return mapped.feed;
}

function columnOf({ name, types, nullable }: CaseColumn): Column {
  const type = types === 'any' ? 'text' : types[0]!;
  return { name, type: type === 'decimal' ? 'decimal(18,2)' : type, nullable: nullable === true };
}
