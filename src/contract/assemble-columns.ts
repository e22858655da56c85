import { UsageError } from '../cli/usage-error.ts';
import type { Column, Columns, Role } from './columns.ts';
import type { Contract } from './contract.ts';
import { suggestion } from './nearest.ts';
import type { Decisions } from './presets.ts';
import { hasVersions, usualBeside } from './types.ts';

/** Every role's columns: those that were declared, and the usual ones. */
export function assembleColumns(
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
      of === undefined ? endsInWord(name, column.name) : column.name === of,
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

/** `previous_city` and `previousCity` end in the word `city`; `velocity` does not. */
function endsInWord(name: string, word: string): boolean {
  const start = name.length - word.length;
  if (start < 0 || name.slice(start).toLowerCase() !== word.toLowerCase()) return false;
  const before = name.slice(0, start);
  return /(^|[^a-z0-9])$/i.test(before) || (/[a-z0-9]$/.test(before) && /[A-Z]/.test(name[start]!));
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
