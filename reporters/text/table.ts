import stringWidth from 'string-width';
import type { Paint, Style } from './style.ts';
import { padTo, wrap } from './wrap.ts';

/** A table of short texts that fits itself into the columns there are. */
export interface TextTable {
  /** The first column names the rows (`E`, `D`, a number) and is never left out. */
  readonly columns: readonly TextColumn[];
  /** Null is a cell that does not exist, and is blank. */
  readonly rows: readonly (readonly (TextCell | null)[])[];
}

export interface TextColumn {
  readonly heading: string;
  readonly align?: 'left' | 'right';
  /** Keep the column even where every row says the same. */
  readonly keep?: boolean;
}

export interface TextCell {
  readonly text: string;
  readonly paint?: Paint;
}

const GAP = '  ';

/**
 * The table's lines in at most `width` columns. Where it is too wide, it first says once what is the same in every
 * row, then breaks its headings, and at last writes each row as a list of names and values.
 */
export function fitTable(table: TextTable, width: number, style: Style): string[] {
  const whole = grid(table, asGiven(table), style);
  if (fits(whole, width)) return whole;

  const { table: rest, constants } = liftConstants(table);
  const note =
    constants.length === 0 ? [] : wrap(`every row: ${constants.join(', ')}`, width, GAP).map(style.dim);
  const narrow = [grid(rest, asGiven(rest), style), grid(rest, broken(rest), style)].find((lines) =>
    fits(lines, width),
  );
  return [...(narrow ?? vertical(rest, width, style)), ...note];
}

function fits(lines: readonly string[], width: number): boolean {
  return lines.every((line) => stringWidth(line) <= width);
}

function grid(table: TextTable, headings: readonly (readonly string[])[], style: Style): string[] {
  const widths = table.columns.map((_, index) =>
    Math.max(
      ...headings[index]!.map((line) => stringWidth(line)),
      ...table.rows.map((row) => stringWidth(row[index]?.text ?? '')),
    ),
  );
  const line = (cells: readonly (TextCell | null)[]) =>
    cells
      .map((cell, index) => aligned(cell, widths[index]!, table.columns[index]!.align))
      .join(GAP)
      .trimEnd();
  const height = Math.max(...headings.map((lines) => lines.length));
  const headingLines = Array.from({ length: height }, (_, index) =>
    // Short headings sit at the bottom, just above their values.
    line(headings.map((lines) => ({ text: lines[index - (height - lines.length)] ?? '', paint: style.dim }))),
  );
  return [...headingLines.filter((text) => text !== ''), ...table.rows.map(line)];
}

function aligned(cell: TextCell | null, width: number, align: TextColumn['align']): string {
  const text = cell?.text ?? '';
  const painted = text === '' ? '' : (cell?.paint?.(text) ?? text);
  const blanks = ' '.repeat(width - stringWidth(text));
  return align === 'right' ? blanks + painted : painted + blanks;
}

/** Headings line by line, as they are. */
function asGiven(table: TextTable): string[][] {
  return table.columns.map(({ heading }) => heading.split('\n'));
}

/**
 * Headings that are wider than what stands under them, broken at their joints (a name cut elsewhere is not a name):
 * `customer_segment` in two lines.
 */
function broken(table: TextTable): string[][] {
  return asGiven(table).map((lines, index) => {
    const needed = Math.max(0, ...table.rows.map((row) => stringWidth(row[index]?.text ?? '')));
    return lines.flatMap((line) =>
      stringWidth(line) <= needed ? [line] : line.split(/(?<=[_\-.]|\w )(?=.)/),
    );
  });
}

/** Takes out the columns that say the same in every row, where there are at least two rows to say it. */
function liftConstants(table: TextTable): { table: TextTable; constants: string[] } {
  const same = table.columns.map((column, index) => {
    const texts = table.rows.map((row) => row[index]?.text).filter((text) => text !== undefined);
    const liftable = index > 0 && column.keep !== true && column.heading !== '' && texts.length > 1;
    return liftable && new Set(texts).size === 1 ? texts[0]! : null;
  });
  const kept = <T>(items: readonly T[]) => items.filter((_, index) => same[index] === null);
  return {
    table: { columns: kept(table.columns), rows: table.rows.map(kept) },
    constants: table.columns.flatMap(({ heading }, index) =>
      same[index] === null ? [] : [`${heading.trim()} ${same[index]!.trim()}`],
    ),
  };
}

function vertical(table: TextTable, width: number, style: Style): string[] {
  const labels = table.rows.map((row) => row[0]?.text ?? '');
  const labelWidth = Math.max(0, ...labels.map((label) => stringWidth(label)));
  const names = table.columns.map((column) => column.heading.replaceAll('\n', ' ').trim());
  const nameWidth = Math.max(0, ...names.slice(1).map((name) => stringWidth(name)));
  const indent = ' '.repeat(labelWidth + GAP.length);
  return table.rows.flatMap((row) => {
    const fields = row.flatMap((cell, index) =>
      index === 0 || cell === null || cell.text === ''
        ? []
        : field(names[index]!, cell, nameWidth, width - indent.length, style),
    );
    const label = row[0] ?? { text: '' };
    const first = (label.paint ?? ((text) => text))(label.text);
    const blanks = ' '.repeat(indent.length - stringWidth(label.text));
    return fields.length === 0
      ? [first]
      : fields.map((line, index) => (index === 0 ? first + blanks + line : indent + line));
  });
}

/** `name  value`, or the value under its name where they do not fit beside each other. */
function field(name: string, cell: TextCell, nameWidth: number, width: number, style: Style): string[] {
  const paint = cell.paint ?? ((text: string) => text);
  const besides = width - nameWidth - GAP.length;
  if (besides >= Math.min(stringWidth(cell.text), 16)) {
    const start = style.dim(name) + ' '.repeat(nameWidth - stringWidth(name)) + GAP;
    const rest = padTo('', nameWidth + GAP.length);
    return wrap(cell.text, besides).map((line, index) => (index === 0 ? start : rest) + paint(line));
  }
  const below = wrap(cell.text, width - GAP.length).map((line) => GAP + paint(line));
  return name === '' ? below : [...wrap(name, width).map(style.dim), ...below];
}
