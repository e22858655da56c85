import { UsageError } from '../cli/usage-error.ts';
import type { Role } from './columns.ts';
import { isInstantLiteral, ROLES } from './columns.ts';
import { FOLDINGS, type Folding, OPTIONS } from './contract.ts';
import { suggestion } from './nearest.ts';
import { PRESETS, type Preset } from './presets.ts';
import { TYPES } from './types.ts';

/** One line of a declaration, wherever it was written: a flag, the configuration, a script's head. */
export interface Declared {
  /** A field, a column role, or `contract` (a preset). */
  readonly name: string;
  readonly value: unknown;
  /** Where it was written, for messages: `load.sql:3`, `scd2check.config.ts`, `--contract`. */
  readonly where: string;
}

const FIELDS = [...Object.keys(OPTIONS), 'compare', 'keyCompare'];

/** A line, and whether it stood in `columns`, where every name is a role. */
export interface Line extends Declared {
  readonly inColumns?: true;
}

/** Opens `columns: {…}` and objects in `contract` into single lines. */
export function flatten(layer: readonly Line[]): Line[] {
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
export function roleOf({ name, value, inColumns }: Line): Role | undefined {
  const isOption = name === 'untracked' && (OPTIONS.untracked.options as readonly unknown[]).includes(value);
  if (isOption && inColumns !== true) return undefined;
  const role = ROLES.find((known) => known === name);
  if (role === undefined && inColumns === true) return undefined;
  return role;
}

/** @throws UsageError where there is none of this name */
export function preset(line: Declared): Preset {
  const found = PRESETS.find(({ id }) => id === line.value);
  if (found === undefined) {
    const ids = PRESETS.map(({ id }) => id);
    throw new UsageError(
      `${line.where}: there is no contract \`${String(line.value)}\`.${suggestion(String(line.value), ids)}`,
    );
  }
  return found;
}

/** @throws UsageError where the field, or its value, is unknown */
export function fieldValue({ name, value, where, inColumns }: Line): unknown {
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
  // They are numbers, of which none is near another.
  if (name === 'type')
    throw new UsageError(
      `${where}: \`type\` cannot be \`${text}\`. There are ${TYPES.map((type) => `\`${type}\``).join(', ')}.`,
    );
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
