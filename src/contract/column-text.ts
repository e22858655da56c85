import { UsageError } from '../cli/usage-error.ts';
import type { Cell, Column, ColumnType } from './columns.ts';
import { suggestion } from './nearest.ts';

/**
 * Columns as people write them: `nk INTEGER`, `full_name TEXT(40) NOT NULL, country`, `"order" TEXT`, or an object
 * `{name, type, nullable, maxLength, values, of}`. Types go by their common SQL names. `previous_segment of segment` is a column of type 3 or 6
 * that holds the previous or current value of another.
 */
export function parseColumns(value: unknown, where: string): readonly Column[] {
  if (typeof value === 'string') return splitTopLevel(value).map((text) => parseColumnText(text, where));
  if (Array.isArray(value)) return value.flatMap((item) => parseColumns(item, where));
  if (typeof value === 'object' && value !== null) return [parseColumnObject(value, where)];
  throw new UsageError(
    `${where}: a column is a text such as \`nk INTEGER\` or an object, not ${JSON.stringify(value)}.`,
  );
}

const TYPE_NAMES: Record<string, ColumnType> = {
  text: 'text',
  varchar: 'text',
  string: 'text',
  char: 'text',
  integer: 'integer',
  int: 'integer',
  int4: 'integer',
  smallint: 'integer',
  bigint: 'bigint',
  long: 'bigint',
  int8: 'bigint',
  double: 'double',
  float8: 'double',
  float: 'double',
  real: 'double',
  boolean: 'boolean',
  bool: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
  timestamptz: 'timestamp',
  datetime: 'timestamp',
};

function parseColumnText(text: string, where: string): Column {
  const match = /^\s*("(?:[^"]|"")+"|[^\s",()]+)\s*(.*?)\s*$/s.exec(text);
  if (match === null)
    throw new UsageError(`${where}: cannot read the column \`${text.trim()}\`. Write \`name TYPE\`.`);
  const name = unquoted(match[1]!);
  const rest = match[2]!;
  const notNull = /\s*\bnot\s+null$/i;
  const nullable = !notNull.test(rest);
  const whose = /(?:^|\s)of\s+("(?:[^"]|"")+"|[^\s",()]+)$/i;
  const of = whose.exec(rest)?.[1];
  return {
    name,
    nullable,
    ...parseType(rest.replace(whose, '').replace(notNull, '').trim() || 'text', where),
    ...(of === undefined ? {} : { of: unquoted(of) }),
  };
}

function unquoted(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
}

function parseColumnObject(value: object, where: string): Column {
  const {
    name,
    type = 'text',
    nullable = true,
    maxLength,
    values,
    of,
    ...unknown
  } = value as Record<string, unknown>;
  const strange = Object.keys(unknown)[0];
  if (strange !== undefined) {
    throw new UsageError(
      `${where}: a column has no \`${strange}\`.${suggestion(strange, ['name', 'type', 'nullable', 'maxLength', 'values', 'of'])}`,
    );
  }
  if (typeof name !== 'string' || name === '') throw new UsageError(`${where}: a column needs a name.`);
  if (typeof type !== 'string') throw new UsageError(`${where}: the type of column \`${name}\` is a text.`);
  if (of !== undefined && typeof of !== 'string')
    throw new UsageError(
      `${where}: the \`of\` of column \`${name}\` is the name of a tracked column, not ${JSON.stringify(of)}.`,
    );
  return {
    name,
    nullable: nullable !== false,
    ...parseType(type, where),
    ...(typeof maxLength === 'number' ? { maxLength } : {}),
    ...(of === undefined ? {} : { of }),
    ...(Array.isArray(values) ? { values: values as readonly Cell[] } : {}),
  };
}

function parseType(text: string, where: string): Pick<Column, 'type' | 'maxLength'> {
  const match = /^([a-z][a-z0-9_]*)\s*(?:\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\))?$/i.exec(text);
  const word = match?.[1]?.toLowerCase() ?? text.toLowerCase();
  const first = match?.[2];
  if (word === 'decimal' || word === 'numeric') {
    return { type: `decimal(${Number(first ?? 18)},${Number(match?.[3] ?? (first === undefined ? 3 : 0))})` };
  }
  const type = TYPE_NAMES[word];
  if (match === null || type === undefined) {
    throw new UsageError(
      `${where}: \`${text}\` is no column type.${suggestion(word, [...Object.keys(TYPE_NAMES), 'decimal'])}`,
    );
  }
  return type === 'text' && first !== undefined ? { type, maxLength: Number(first) } : { type };
}

/** Splits at commas that are neither in parentheses nor in double quotes. */
function splitTopLevel(text: string): string[] {
  const parts: string[] = [''];
  let depth = 0;
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && character === '(') depth++;
    else if (!quoted && character === ')') depth--;
    if (character === ',' && depth === 0 && !quoted) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.filter((part) => part.trim() !== '');
}

/** A column as people write it: the inverse of `parseColumns` for one column. */
export function formatColumn(column: Column): string {
  const name = quotedWhereNeeded(column.name);
  const of = column.of === undefined ? '' : ` of ${quotedWhereNeeded(column.of)}`;
  const type = column.maxLength === undefined ? column.type : `${column.type}(${column.maxLength})`;
  return `${name} ${type}${column.nullable ? '' : ' not null'}${of}`;
}

function quotedWhereNeeded(name: string): string {
  return /^[A-Za-z_][\w.$]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
