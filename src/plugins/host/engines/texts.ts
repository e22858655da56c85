import type { Table } from 'apache-arrow';
import type { Cell, Column, ColumnType, Row } from '../../../contract/columns.ts';
import { formatInstant, parseInstant } from '../../../contract/instant.ts';
import { rowsFromTable, tableFromRows } from '../../../duckdb/rows.ts';
import { parseDay } from '../../../duckdb/times.ts';

/** A column as an engine's client gives it: every value as the text that the engine itself writes. */
export interface TextColumn {
  readonly name: string;
  /** The type whose cells the texts become. Where one of them has no such cell (an infinite date, say), all stay texts. */
  readonly type: ColumnType;
}

/** A table of rows of texts, lossless. Of columns that share a name, the first is kept. */
export function tableFromTexts(
  columns: readonly TextColumn[],
  rows: readonly (readonly (string | null)[])[],
): Table {
  const names = new Map<string, number>();
  for (const [at, { name }] of columns.entries()) if (!names.has(name)) names.set(name, at);
  const converted = [...names].map(([name, at]) =>
    cellsOf(
      { name, type: columns[at]!.type },
      rows.map((row) => row[at]!),
    ),
  );
  return tableFromRows(
    converted.map(({ column }) => column),
    rows.map((_, row) =>
      Object.fromEntries(converted.map(({ column, cells }) => [column.name, cells[row]!])),
    ),
  );
}

function cellsOf({ name, type }: TextColumn, texts: readonly (string | null)[]) {
  const column = (own: ColumnType): Column => ({ name, type: own, nullable: true });
  const convert = FROM_TEXT[type] ?? ((text: string) => text);
  const cells: Cell[] = [];
  for (const text of texts) {
    const cell = text === null ? null : convert(text);
    if (cell === undefined) return { column: column('text'), cells: texts };
    cells.push(cell);
  }
  return { column: column(type), cells };
}

/** Undefined where the text has no cell of that type. */
const FROM_TEXT: Readonly<Partial<Record<ColumnType, (text: string) => Cell | undefined>>> = {
  integer: (text) =>
    /^-?\d{1,10}$/.test(text) && (Number(text) | 0) === Number(text) ? Number(text) : undefined,
  bigint: (text) =>
    /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text) ? BigInt(text) : undefined,
  double: (text) => (/^NaN$/i.test(text) ? Number.NaN : finiteOr(text)),
  boolean: (text) => (text === 't' || text === '1' ? true : text === 'f' || text === '0' ? false : undefined),
  date: (text) => (parseDay(text) === null ? undefined : text),
  timestamp: (text) => {
    const micros = parseInstant(text);
    return micros === null ? undefined : formatInstant(micros);
  },
};

function finiteOr(text: string): number | undefined {
  const number = Number(text);
  return text.trim() === '' || Number.isNaN(number) ? undefined : number;
}

/** The rows of a batch as an engine is told them: lists of cells in the order of the columns. */
export function cellRows(columns: readonly Column[], rows: Table): readonly (readonly Cell[])[] {
  return rowsFromTable(rows).map((row: Row) => columns.map(({ name }) => row[name] ?? null));
}

/** A cell as an engine that has no better form takes it: `YYYY-MM-DD HH:MM:SS.ffffff`, without `T` and `Z`. */
export function plainInstant(cell: string): string {
  return cell.replace('T', ' ').replace('Z', '');
}
