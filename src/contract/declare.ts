import { UsageError } from '../cli/usage-error.ts';
import { parseColumns } from './column-text.ts';
import type { Column, Columns, Role } from './columns.ts';
import { firstStartColumn, isInstantLiteral, ROLES } from './columns.ts';
import { type Contract, FOLDINGS, type Folding, OPTIONS } from './contract.ts';
import { suggestion } from './nearest.ts';
import { type Decisions, PRESETS, STRICT } from './presets.ts';
import { besideColumns, hasVersions, usualBeside, VERSIONED } from './types.ts';

/** One line of a declaration, wherever it was written: a flag, the configuration, a script's head. */
export interface Declared {
  /** A field, a column role, or `contract` (a preset). */
  readonly name: string;
  readonly value: unknown;
  /** Where it was written, for messages: `load.sql:3`, `scd2check.config.ts`, `--contract`. */
  readonly where: string;
}

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

const FIELDS = [...Object.keys(OPTIONS), 'compare', 'keyCompare'];

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

/** A line, and whether it stood in `columns`, where every name is a role. */
interface Line extends Declared {
  readonly inColumns?: true;
}

/** Opens `columns: {…}` and objects in `contract` into single lines. */
function flatten(layer: readonly Line[]): Line[] {
  return layer.flatMap((line) => {
    if (
      (line.name === 'columns' || line.name === 'contract') &&
      typeof line.value === 'object' &&
      line.value !== null
    ) {
      const inColumns = line.name === 'columns' ? ({ inColumns: true } as const) : {};
      const entries = Object.entries(line.value).map(([name, value]) => ({
        name,
        value,
        where: line.where,
        ...inColumns,
      }));
      return flatten(entries);
    }
    if (line.name === 'preset') return [{ ...line, name: 'contract' }];
    return [line];
  });
}

/** `untracked` is a role and a field too: `untracked street` names a column, `untracked current` says how it is judged. */
function roleOf({ name, value, inColumns }: Line): Role | undefined {
  const isOption = name === 'untracked' && (OPTIONS.untracked.options as readonly unknown[]).includes(value);
  if (isOption && inColumns !== true) return undefined;
  const role = ROLES.find((known) => known === name);
  if (role === undefined && inColumns === true) return undefined;
  return role;
}

function preset(line: Declared) {
  const found = PRESETS.find(({ id }) => id === line.value);
  if (found === undefined) {
    const ids = PRESETS.map(({ id }) => id);
    throw new UsageError(
      `${line.where}: there is no contract \`${String(line.value)}\`.${suggestion(String(line.value), ids)}`,
    );
  }
  return found;
}

function fieldValue({ name, value, where, inColumns }: Line): unknown {
  if (inColumns === true)
    throw new UsageError(`${where}: there is no column role \`${name}\`.${suggestion(name, ROLES)}`);
  if (name === 'compare' || name === 'keyCompare') return foldings(name, value, where);
  const entry = OPTIONS[name as keyof typeof OPTIONS] as
    | { options: readonly string[]; open?: string }
    | undefined;
  if (entry === undefined) {
    throw new UsageError(
      `${where}: a contract has no field \`${name}\`.${suggestion(name, [...FIELDS, ...ROLES, 'contract'])}`,
    );
  }
  const text = value === null ? 'null' : String(value);
  if (entry.options.includes(text)) return text;
  if (name === 'openMarker' && (text === 'infinity' || isInstantLiteral(text))) return text;
  if (name === 'firstStart' && text !== '') return text;
  const open = entry.open === undefined ? '' : ` It may also be ${entry.open}.`;
  throw new UsageError(
    `${where}: \`${name}\` cannot be \`${text}\`.${suggestion(text, entry.options)}${open}`,
  );
}

function foldings(name: string, value: unknown, where: string): readonly Folding[] {
  const words = Array.isArray(value) ? value.map(String) : String(value).split(/[\s,]+/);
  const chosen = words.filter((word) => word !== '' && word !== 'sql');
  for (const word of chosen) {
    if (!(FOLDINGS as readonly string[]).includes(word)) {
      throw new UsageError(
        `${where}: \`${name}\` cannot be \`${word}\`.${suggestion(word, ['sql', ...FOLDINGS])}`,
      );
    }
  }
  return FOLDINGS.filter((folding) => chosen.includes(folding));
}

function assembleColumns(
  declared: ReadonlyMap<Role, readonly Column[] | null>,
  decisions: Decisions,
): Columns {
  const text = (name: string): Column => ({ name, type: 'text', nullable: true });
  const instant = (name: string): Column => ({
    name,
    type: decisions.grain === 'day' ? 'date' : 'timestamp',
    nullable: true,
  });
  const own = declared.has('key') || declared.has('tracked');
  const list = (role: Role, otherwise: readonly Column[]) =>
    declared.get(role) ?? (declared.has(role) ? [] : otherwise);
  const one = (role: Role, otherwise: Column | null) => {
    const columns = declared.get(role);
    return columns === undefined ? otherwise : (columns?.[0] ?? null);
  };
  const keyNullable = decisions.nullKey !== 'never';
  const partition = one('partition', null);
  const bounded = hasVersions(decisions);
  const tracked = list('tracked', [text('customer_segment')]);
  const besideOf = (role: 'previous' | 'current', type: Contract['type']) => {
    const own = declared.get(role);
    if (decisions.type !== type) return [];
    return own === undefined ? usualBeside(type, tracked)[role] : beside(role, own, tracked);
  };
  const attributes = [
    ...list('key', [text('customer_id')]),
    ...list('tracked', [text('customer_segment')]),
    ...list('untracked', own ? [] : [text('street')]),
  ];
  return {
    key: list('key', [text('customer_id')]).map((column) => ({
      ...column,
      nullable: keyNullable && column.nullable,
    })),
    tracked,
    untracked: list('untracked', own ? [] : [text('street')]),
    validFrom: asInstant(one('validFrom', null), instant) ?? instant('valid_from'),
    validTo: declared.has('validTo')
      ? asInstant(one('validTo', null), instant)
      : bounded
        ? instant('valid_to')
        : null,
    isCurrent: asFlag(
      one('isCurrent', decisions.type === '2' || decisions.type === '6' ? text('is_current') : null),
    ),
    isDeleted: asFlag(one('isDeleted', decisions.deletes === 'marker-row' ? text('is_deleted') : null)),
    hash: one('hash', null),
    surrogateKey: one('surrogateKey', null),
    previous: besideOf('previous', '3'),
    current: besideOf('current', '6'),
    inHistory: decisions.type === '4' ? asFlag(one('inHistory', text('in_history'))) : null,
    changedAt:
      decisions.feed === 'changes' || decisions.stamp === 'row-time'
        ? (asTimestamp(one('changedAt', null)) ?? { name: 'changed_at', type: 'timestamp', nullable: false })
        : asTimestamp(one('changedAt', null)),
    operation: one('operation', null),
    sequence: asSequence(one('sequence', null)),
    partition:
      partition === null ? null : (attributes.find(({ name }) => name === partition.name) ?? partition),
  };
}

/** Columns that hold values of tracked ones at another time, as declared. */
function beside(
  role: 'previous' | 'current',
  columns: readonly Column[] | null,
  tracked: readonly Column[],
): readonly Column[] {
  if (columns === null || columns.length === 0)
    throw new UsageError(
      `The contract contradicts itself: type ${role === 'previous' ? 3 : 6} needs a \`${role}\` column, or it is type ${role === 'previous' ? 1 : 2}.`,
    );
  return columns.map(({ name, of }) => {
    const own = tracked.filter((column) =>
      of === undefined ? name.endsWith(column.name) : column.name === of,
    );
    const longest = own.toSorted((a, b) => b.name.length - a.name.length)[0];
    const source = longest ?? (of === undefined && tracked.length === 1 ? tracked[0] : undefined);
    if (source === undefined) {
      const names = tracked.map((column) => column.name);
      throw new UsageError(
        of === undefined
          ? `\`${role} ${name}\` does not say whose value it holds. Write \`${role} ${name} of ${names[0] ?? 'attribute'}\`.`
          : `\`${role} ${name} of ${of}\`: there is no tracked column \`${of}\`.${suggestion(of, names)}`,
      );
    }
    return { ...source, name, nullable: true, of: source.name };
  });
}

// Instants, flags and sequences are often declared by name alone, which reads as text: they get their natural type.
function asInstant(column: Column | null, instant: (name: string) => Column): Column | null {
  if (column === null) return null;
  return column.type === 'date' || column.type === 'timestamp' ? column : instant(column.name);
}

function asTimestamp(column: Column | null): Column | null {
  return column === null ? null : { ...column, type: column.type === 'date' ? 'date' : 'timestamp' };
}

function asFlag(column: Column | null): Column | null {
  return column === null || column.type !== 'text' ? column : { ...column, type: 'boolean' };
}

function asSequence(column: Column | null): Column | null {
  return column === null || column.type !== 'text' ? column : { ...column, type: 'bigint' };
}

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

function refuseColumnsOfOtherTypes(
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

function refuseContradictions(contract: Contract): void {
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
  const names = [...columns.key, ...columns.tracked, ...columns.untracked, ...besideColumns(contract)].map(
    ({ name }) => name,
  );
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) refuse(`column \`${twice}\` is declared twice.`);
  const start = firstStartColumn(contract.firstStart);
  if (start !== null && names.slice(0, columns.key.length).includes(start))
    refuse('`firstStart` names a key column.');
}
