import type { Cell, Column, Row } from '../../src/contract/columns.ts';
import { identity, type Memory, type Rules, type Version } from './base.ts';

/*
 * What the right implementation writes of a key's versions, by the type of its dimension. It walks forward through the versions and keeps
 * what it passes, as a table does that is loaded day by day; neither oracle does.
 */

export function rowsOfType(rules: Rules, versions: readonly Version[], memory: Memory): readonly Row[] {
  const { type, historyHolds } = memory.contract;
  if (versions.length === 0) return [];
  const write = (version: Version) => rules.write(version, memory);
  if (type === '2') return versions.map(write);
  if (type === '6') {
    const now = rules.currentValues(versions, memory);
    return versions.map((version) => ({ ...write(version), ...now }));
  }
  const open = versions.filter(({ to }) => to === null);
  const current = open.map((version) => withoutBounds(write(latest(version, rules, memory)), memory));
  if (type === '1') return current;
  if (type === '3') return current.map((row) => ({ ...row, ...rules.previousValues(versions, memory) }));
  const history = historyHolds === 'past' ? versions.filter(({ to }) => to !== null) : versions;
  return [...flagged(current, false, memory), ...flagged(history.map(write), true, memory)];
}

/** What is overwritten takes the latest untracked attributes, whatever versions do. */
function latest(version: Version, rules: Rules, memory: Memory): Version {
  const own: Memory = { ...memory, contract: { ...memory.contract, untracked: 'current' } };
  return { ...version, extra: rules.extraOf(version, rules.observe(version.key, memory), own) };
}

export function withoutBounds(row: Row, { contract }: Memory): Row {
  const { validFrom, validTo, isCurrent } = contract.columns;
  const bounds = [validFrom, validTo, isCurrent].map((column) => column?.name);
  return Object.fromEntries(Object.entries(row).filter(([name]) => !bounds.includes(name)));
}

export function flagged(rows: readonly Row[], isHistory: boolean, { contract }: Memory): readonly Row[] {
  return rows.map((row) => ({ ...row, [contract.columns.inHistory!.name]: isHistory }));
}

/** For each column the value that the attribute had before it took the one that it has. */
export function previousValues(versions: readonly Version[], memory: Memory): Row {
  const { contract } = memory;
  const isKept = contract.reappearance === 'bridge' || contract.deletes === 'marker-row';
  const values = contract.columns.previous.map((column): [string, Cell] => {
    const attribute = attributeOf(column, memory);
    let before: Cell = null;
    let held: Version | null = null;
    for (const version of versions.filter(({ isMarker }) => !isMarker)) {
      if (version.isAnew && !isKept) {
        before = null;
        held = null;
      }
      if (held !== null && !isSame(held, version, attribute, memory))
        before = held.row[attribute.name] ?? null;
      held = version;
    }
    return [column.name, before];
  });
  return Object.fromEntries(values);
}

export function currentValues(versions: readonly Version[], memory: Memory): Row {
  const { row } = versions.findLast(({ isMarker }) => !isMarker)!;
  return Object.fromEntries(
    memory.contract.columns.current.map((column) => [column.name, row[column.of!] ?? null]),
  );
}

function attributeOf({ of }: Column, { contract }: Memory): Column {
  return contract.columns.tracked.find(({ name }) => name === of)!;
}

function isSame(a: Version, b: Version, column: Column, { contract }: Memory): boolean {
  return identity(a.row, [column], contract.compare) === identity(b.row, [column], contract.compare);
}
