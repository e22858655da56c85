import { assembleColumns } from './assemble-columns.ts';
import { parseColumns } from './column-text.ts';
import type { Column, Columns, Role } from './columns.ts';
import type { Contract } from './contract.ts';
import { refuseColumnsOfOtherTypes, refuseContradictions } from './contradictions.ts';
import { type Declared, fieldValue, flatten, type Line, preset, roleOf } from './declared.ts';
import { type Decisions, STRICT } from './presets.ts';

export interface DeclaredContract {
  readonly contract: Contract;
  /** Whether anybody declared a decision or a preset. If not, `strict` is assumed. */
  readonly decided: boolean;
  /** Roles that were written down; the others may be guessed from the dimension's own columns. */
  readonly declaredRoles: ReadonlySet<Role>;
  /** Whether no column of type `double`, its own or one of a case, holds NaN or infinity. */
  readonly finite?: boolean;
  /** Sentences on what was declared and cannot be: for the report. */
  readonly notes: readonly string[];
}

/**
 * The contract that layers of declarations make, the weakest first (a script's head, the configuration, flags). In each layer
 * a preset comes first and its fields then change it.
 *
 * @throws UsageError where a name or a value is unknown (with the nearest valid one), or where fields contradict each other.
 */
export function declareContract(layers: readonly (readonly Declared[])[]): DeclaredContract {
  let decisions: Decisions = STRICT;
  let decided = false;
  let finite = false;
  const columns = new Map<Role, readonly Column[] | null>();
  /** By field, the line that decided it last. */
  const fields = new Map<string, Line>();
  for (const layer of layers) {
    const lines = flatten(layer);
    for (const line of lines.filter(({ name }) => name === 'contract')) {
      decisions = { ...STRICT, ...preset(line).decisions };
      decided = true;
      fields.clear();
    }
    const inLayer = new Set<Role>();
    for (const line of lines) {
      if (line.name === 'contract') continue;
      if (line.name === FINITE_DOUBLES) {
        finite = true;
        continue;
      }
      const role = roleOf(line);
      if (role === undefined) {
        decisions = { ...decisions, [line.name]: fieldValue(line) };
        decided = true;
        fields.set(line.name, line);
        continue;
      }
      // A role written twice in one layer adds up (two `key` lines); a stronger layer replaces it.
      const more = line.value === null || line.value === 'none' ? null : parseColumns(line.value, line.where);
      const before = inLayer.has(role) ? (columns.get(role) ?? []) : [];
      columns.set(role, more === null ? null : [...before, ...more]);
      inLayer.add(role);
    }
  }
  const notes = decisions.clock === 'wall' ? overruledByWall(fields) : [];
  decisions = withWallClock(decisions);
  const assembled = assembleColumns(columns, decisions);
  const contract = { ...decisions, columns: finite ? withFiniteDoubles(assembled) : assembled };
  refuseColumnsOfOtherTypes(contract, columns);
  refuseContradictions(contract);
  return { contract, decided, declaredRoles: new Set(columns.keys()), finite, notes };
}

/** What a plug-in declares where the engine has neither NaN nor infinity. */
export const FINITE_DOUBLES = 'finiteDoubles';

export function withFiniteDoubles(columns: Columns): Columns {
  const finite = (list: readonly Column[]) =>
    list.map((column): Column => (column.type === 'double' ? { ...column, finite: true } : column));
  const { key, tracked, untracked } = columns;
  return { ...columns, key: finite(key), tracked: finite(tracked), untracked: finite(untracked) };
}

/** A clock that nobody can set gives no two loads one time, and no load an earlier one. */
function withWallClock(decisions: Decisions): Decisions {
  return decisions.clock === 'wall' ? { ...decisions, late: 'never', sameInstant: 'never' } : decisions;
}

function overruledByWall(fields: ReadonlyMap<string, Line>): readonly string[] {
  return (['late', 'sameInstant'] as const).flatMap((name) => {
    const line = fields.get(name);
    if (line === undefined || line.value === 'never') return [];
    return [
      `${line.where} declares \`${name}: ${String(line.value)}\`, and \`clock: wall\` overrules it: \`${name}: never\` was tested.`,
    ];
  });
}
