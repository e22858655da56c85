/**
 * What most cases are made of: a customer with a segment, which is tracked, and loads at six in the morning of
 * March days in 2026.
 */
import type { Cell } from '../src/contract/columns.ts';
import type { CaseBatch, CaseColumn, CaseRow, CaseVersion } from './case.ts';

export const ID: CaseColumn = { name: 'customer_id', types: 'any' };
export const SEGMENT: CaseColumn = { name: 'customer_segment', types: 'any' };
export const STREET: CaseColumn = { name: 'street', types: 'any' };

export const CUSTOMER = { key: [ID], tracked: [SEGMENT] } as const;

export function customer(id: Cell, segment: Cell, more: CaseRow = {}): CaseRow {
  return { customer_id: id, customer_segment: segment, ...more };
}

export const c1 = (segment: Cell, more?: CaseRow) => customer('C1', segment, more);
export const c2 = (segment: Cell, more?: CaseRow) => customer('C2', segment, more);
export const c3 = (segment: Cell, more?: CaseRow) => customer('C3', segment, more);

/** An instant of March 2026. */
export function day(number: number, time = '06:00:00'): string {
  return `2026-03-${String(number).padStart(2, '0')}T${time}Z`;
}

export function load(asOf: string, ...rows: readonly CaseRow[]): CaseBatch {
  return { asOf, rows };
}

export function version(values: CaseRow, from: string, to: string | null = null): CaseVersion {
  return { values, from, to };
}

/** The `needs` of a case in which a key's absence from a full extract is a delete. */
export const ABSENCE_DELETES = { feed: ['snapshot'], deletes: ['close', 'marker-row'] } as const;

/** The `needs` of a case whose deletes come as rows. */
export const ROW_DELETES = { feed: ['delta', 'changes'], deletes: ['close', 'marker-row'] } as const;
