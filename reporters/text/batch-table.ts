import type { Counterexample, JsonRow } from '../../src/runner/report.ts';
import { showCell } from './cell.ts';
import { namesOf } from './columns.ts';
import { visible } from './escape.ts';
import type { InstantFormat } from './instants.ts';
import type { Style } from './style.ts';
import { fitTable, type TextCell, type TextColumn } from './table.ts';
import type { TextOptions } from './version-table.ts';
import { counted } from './wrap.ts';

interface Delivered {
  readonly number: number;
  readonly asOf: string;
  readonly late: boolean;
  /** Null for a batch without rows. */
  readonly row: JsonRow | null;
  readonly first: boolean;
}

/** The batches of a counterexample in the order in which they arrived, numbered from 1, late ones marked. */
export function batchTable(
  { batches }: Counterexample,
  instants: InstantFormat,
  options: TextOptions,
): string[] {
  const delivered = batches.flatMap((batch, index): Delivered[] => {
    const rows = batch.rows.length === 0 ? [null] : batch.rows;
    return rows.map((row, position) => ({ ...batch, number: index + 1, row, first: position === 0 }));
  });
  if (delivered.length === 0) return [];
  const { kept, cut } = ends(delivered, options.rowLimit);
  const names = namesOf(batches.flatMap((batch) => batch.rows));
  const { style } = options;
  const hasNotes = kept.some((item) => noteOf(item) !== null);

  const columns: TextColumn[] = [
    { heading: '#' },
    { heading: 'as of (UTC)', keep: true },
    ...(hasNotes ? [{ heading: '' }] : []),
    ...names.map((name) => ({ heading: visible(name) })),
  ];
  const rows = kept.map((item): (TextCell | null)[] => [
    item.first ? { text: String(item.number), paint: style.strong } : null,
    item.first ? { text: instants.full(item.asOf) } : null,
    ...(hasNotes ? [noteCell(item, style)] : []),
    ...names.map((name) => (item.row === null ? null : batchCell(item.row[name] ?? null, options))),
  ]);
  const more = cut === 0 ? [] : [`… ${counted(cut, 'row')} of the middle not shown`];
  return [...fitTable({ columns, rows }, options.width, style), ...more];
}

function noteOf(item: Delivered): string | null {
  const notes = [...(item.late && item.first ? ['late'] : []), ...(item.row === null ? ['no rows'] : [])];
  return notes.length === 0 ? null : notes.join(', ');
}

function noteCell(item: Delivered, style: Style): TextCell | null {
  const text = noteOf(item);
  return text === null ? null : { text, paint: item.late ? style.warn : style.dim };
}

function batchCell(value: JsonRow[string], { cellLimit, style }: TextOptions): TextCell {
  const text = showCell(value, cellLimit);
  return value === null ? { text, paint: style.dim } : { text };
}

/** The first and the last of a long list: how it began, and what broke it. */
function ends(items: readonly Delivered[], limit: number): { kept: Delivered[]; cut: number } {
  if (items.length <= limit) return { kept: [...items], cut: 0 };
  const head = Math.floor(limit / 2);
  const tail = limit - head;
  const last = items.slice(-tail).map((item, index) => (index === 0 ? { ...item, first: true } : item));
  return { kept: [...items.slice(0, head), ...last], cut: items.length - limit };
}
