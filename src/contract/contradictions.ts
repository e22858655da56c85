import { UsageError } from '../cli/usage-error.ts';
import type { Column, Role } from './columns.ts';
import { firstStartColumn } from './columns.ts';
import type { Contract } from './contract.ts';
import { besideColumns, hasVersions, VERSIONED } from './types.ts';

/** Roles, the types that have them, and what to do where another type names one. */
const ROLES_OF_TYPES: readonly {
  readonly roles: readonly Role[];
  readonly types: readonly string[];
  readonly why: string;
}[] = [
  { roles: ['previous'], types: ['3'], why: 'only type 3 has columns for previous values' },
  { roles: ['current'], types: ['6'], why: 'only type 6 has columns for current values' },
  { roles: ['inHistory'], types: ['4'], why: 'only type 4 has a history table' },
  {
    roles: ['validFrom', 'validTo', 'isCurrent'],
    types: VERSIONED,
    why: 'a table that is overwritten has no bounds',
  },
];

/** @throws UsageError where a role is declared that the type does not have */
export function refuseColumnsOfOtherTypes(
  { type }: Contract,
  declared: ReadonlyMap<Role, readonly Column[] | null>,
): void {
  for (const { roles, types, why } of ROLES_OF_TYPES) {
    const role = roles.find((one) => (declared.get(one) ?? []).length > 0);
    if (role !== undefined && !types.includes(type))
      throw new UsageError(
        `The contract contradicts itself: it is of \`type: ${type}\` and declares \`${role}\`, but ${why}. Leave the column out, or declare \`type: ${types[0]}\`.`,
      );
  }
  for (const [role, columns] of declared) {
    const whose = columns?.find(({ of }) => of !== undefined);
    if (whose !== undefined && role !== 'previous' && role !== 'current')
      throw new UsageError(
        `\`${role} ${whose.name} of ${whose.of}\`: only \`previous\` and \`current\` columns hold the value of another.`,
      );
  }
}

/** @throws UsageError where two decisions exclude each other */
export function refuseContradictions(contract: Contract): void {
  const { columns } = contract;
  const refuse = (message: string): never => {
    throw new UsageError(`The contract contradicts itself: ${message}`);
  };
  if (columns.key.length === 0) refuse('it names no key column.');
  if (columns.tracked.length === 0) refuse('it names no tracked column, so nothing could make a version.');
  if (contract.deletes === 'marker-row' && contract.reappearance === 'bridge') {
    refuse(
      '`deletes: marker-row` fills the time that `reappearance: bridge` would give to the next version; declare `reappearance: gap`.',
    );
  }
  if (contract.clock === 'wall' && contract.grain === 'day') {
    refuse(
      'under `clock: wall` a stamp tells the loads apart, and at `grain: day` the loads of a test all have one; declare `clock: moved`.',
    );
  }
  if (contract.changeBy === 'row-time' && contract.feed !== 'changes' && contract.stamp !== 'row-time') {
    refuse(
      '`changeBy: row-time` needs rows with an instant of their own: `stamp: row-time` or `feed: changes`.',
    );
  }
  if (contract.lateEvidence === 'dimension' && !hasVersions(contract)) {
    refuse(
      `a table of type ${contract.type} shows no instants, so that by \`lateEvidence: dimension\` nothing could be said of late data; declare \`lateEvidence: log\`, and \`late: never\`, \`ignore\` or \`reject\` where no log is kept.`,
    );
  }
  if (contract.historyHolds === 'past' && contract.type !== '4') {
    refuse('`historyHolds` concerns the history table, which only `type: 4` has.');
  }
  if (contract.historyHolds === 'past' && columns.validTo === null) {
    refuse(
      'by `historyHolds: past` the last end of a key is when its latest version ended, and without a column for ends nothing says when; declare `validTo`.',
    );
  }
  if (contract.type === '4' && columns.inHistory === null) {
    refuse(
      'without `inHistory` nothing says which rows of type 4 are in its history table; declare the column.',
    );
  }
  if (contract.untracked === 'frozen' && !hasVersions(contract)) {
    refuse(
      `\`untracked: frozen\` is about versions, which keep what they began with, and a table of type ${contract.type} is overwritten: its untracked columns hold the latest. Leave \`untracked\` out; what stays as it first was is left out of the columns, too.`,
    );
  }
  if (columns.partition !== null && contract.feed !== 'snapshot') {
    refuse('a partition column concerns absence, which only `feed: snapshot` has.');
  }
  const dropsUnchanged = contract.late === 'ignore' || contract.late === 'reject';
  if (
    dropsUnchanged &&
    contract.feed === 'snapshot' &&
    contract.stamp === 'row-time' &&
    contract.lateScope === 'batch'
  ) {
    refuse('by `lateScope: batch` each unchanged row of a snapshot would be late; declare `lateScope: key`.');
  }
  const attributes = [...columns.key, ...columns.tracked, ...columns.untracked];
  const beside = besideColumns(contract);
  const names = [...attributes, ...beside].map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) refuse(`column \`${twice}\` is declared twice.`);
  const both = sharedWithRole(contract);
  if (both !== null)
    refuse(`column \`${both.name}\` is \`${both.role}\` and has another role; it can have one.`);
  const again = beside.find(({ of }, index) => beside.findIndex((other) => other.of === of) !== index);
  if (again !== undefined)
    refuse(
      `two \`${contract.type === '3' ? 'previous' : 'current'}\` columns hold the value of \`${again.of}\`; one is judged, so leave \`${again.name}\` out.`,
    );
  const start = firstStartColumn(contract.firstStart);
  if (start !== null && names.slice(0, columns.key.length).includes(start))
    refuse('`firstStart` names a key column.');
}

/** A role whose column is one for the values of another time, or the flag of the history, or an attribute beside that flag. */
function sharedWithRole(contract: Contract): { readonly name: string; readonly role: Role } | null {
  const { columns, type } = contract;
  const bounds = hasVersions({ type }) ? (['validFrom', 'validTo', 'isCurrent'] as const) : [];
  const roles = [...bounds, 'isDeleted', 'hash', 'surrogateKey'] as const;
  const beside = besideColumns(contract);
  const { key, tracked, untracked, inHistory } = columns;
  const names = new Set([...beside, ...(inHistory === null ? [] : [inHistory])].map(({ name }) => name));
  const role = roles.find((one) => columns[one] !== null && names.has(columns[one].name));
  if (role !== undefined) return { name: columns[role]!.name, role };
  const isShared = [...key, ...tracked, ...untracked, ...beside].some(({ name }) => name === inHistory?.name);
  return isShared ? { name: inHistory!.name, role: 'inHistory' } : null;
}
