import type { Column, Columns, Role } from './columns.ts';
import type { Contract } from './contract.ts';
import { hasVersions } from './types.ts';

/**
 * Names under which dimensions keep their own columns, most usual first. They are compared without case, underscores
 * and leading tool prefixes, so `_tech_valid_from`, `dbt_valid_from` and `ValidFrom` are all `validfrom`.
 */
const NAMES = {
  validFrom: [
    'validfrom',
    'startdate',
    'effectivefrom',
    'effectivedate',
    'effectivestartdate',
    'effectivestart',
    'starttime',
    'startat',
    'start',
    'effectivetime',
    'fromdate',
    'rowstart',
    'starttimestamp',
    'begindate',
    'validstart',
    'effstart',
    'from',
  ],
  validTo: [
    'validto',
    'enddate',
    'effectiveto',
    'effectiveenddate',
    'effectiveend',
    'endtime',
    'endat',
    'end',
    'todate',
    'rowend',
    'endtimestamp',
    'validend',
    'expirydate',
    'expirationdate',
    'effend',
    'validuntil',
    'to',
  ],
  isCurrent: [
    'iscurrent',
    'current',
    'currentflag',
    'iscurrentflag',
    'isactive',
    'active',
    'activeflag',
    'islatest',
    'currentindicator',
    'currentrecord',
  ],
  isDeleted: ['isdeleted', 'deleted', 'deletedflag', 'isdelete'],
  hash: ['hashdiff', 'attributehash', 'trackedhash', 'hash'],
  surrogateKey: ['scdid', 'surrogatekey', 'sk'],
} as const satisfies Partial<Record<Role, readonly string[]>>;

/** Roles that a table without versions has not, whatever its columns are called. */
const BOUNDS: readonly Role[] = ['validFrom', 'validTo', 'isCurrent'];

const PREFIX = /^(tech|dbt|dlt|dw|dwh|dim|row|rec|record|scd|scd2|etl|meta|sys)(?=[a-z])/;

export interface Guessed {
  readonly contract: Contract;
  /** A sentence for each column that was guessed. */
  readonly notes: readonly string[];
}

/**
 * Fills the roles that nobody declared from the columns that the dimension has. A role whose default name is there
 * keeps it; an end or flag that is not there becomes null, and is derived.
 */
export function guessRoles(
  contract: Contract,
  declared: ReadonlySet<Role>,
  names: readonly string[],
): Guessed {
  const columns: { -readonly [R in Role]: Columns[R] } = { ...contract.columns };
  const notes: string[] = [];
  for (const role of Object.keys(NAMES) as (keyof typeof NAMES)[]) {
    if (declared.has(role) || (BOUNDS.includes(role) && !hasVersions(contract))) continue;
    const current = columns[role];
    if (current !== null && names.includes(current.name)) continue;
    const found = findName(NAMES[role], taken(columns, names));
    if (found === null) {
      if (role !== 'validFrom' && current !== null) {
        columns[role] = null;
        notes.push(`There is no column for \`${role}\`; ${ABSENT[role] ?? 'it is left out'}.`);
      }
      continue;
    }
    columns[role] = like(current, found, role, contract) as Column;
    notes.push(
      `Column \`${found}\` is taken for \`${role}\`. If it is not, declare another: \`${role} <column>\`.`,
    );
  }
  return { contract: { ...contract, columns }, notes };
}

const ABSENT: Partial<Record<Role, string>> = {
  validTo: 'a version is taken to end where the next one of its key starts',
  isCurrent: 'the check `current-flag` does not apply',
};

function like(current: Column | null, name: string, role: Role, contract: Contract): Column {
  if (current !== null) return { ...current, name };
  if (role === 'validTo')
    return { name, type: contract.grain === 'day' ? 'date' : 'timestamp', nullable: true };
  return { name, type: role === 'isDeleted' ? 'boolean' : 'text', nullable: true };
}

/** The dimension's columns that no other role has. */
function taken(columns: Columns, names: readonly string[]): readonly string[] {
  const { key, tracked, untracked, previous, current, inHistory } = columns;
  const others = [...key, ...tracked, ...untracked, ...previous, ...current];
  const used = new Set([...others, ...(inHistory === null ? [] : [inHistory])].map(({ name }) => name));
  return names.filter((name) => !used.has(name));
}

function findName(known: readonly string[], names: readonly string[]): string | null {
  for (const wanted of known) {
    const found = names.find((name) => simplify(name) === wanted);
    if (found !== undefined) return found;
  }
  return null;
}

function simplify(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return plain.replace(PREFIX, '');
}
