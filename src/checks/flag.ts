import { quoteText } from '../duckdb/sql.ts';

const YES = ['true', 't', '1', 'y', 'yes'];
const NO = ['false', 'f', '0', 'n', 'no'];

const words = (list: readonly string[]) => list.map(quoteText).join(', ');

/** A flag in any form people keep it: boolean, 0/1, Y/N, words. NULL where it is none of them. */
export function flagValue(expression: string): string {
  // The two that a BOOLEAN is cast to come first: nothing else is looked at then.
  return `CASE WHEN ${expression} = 'true' THEN true WHEN ${expression} = 'false' THEN false
    WHEN lower(trim(${expression})) IN (${words([...YES, 'current', 'active'])}) THEN true
    WHEN lower(trim(${expression})) IN (${words([...NO, 'expired', 'inactive', 'historical', ''])}) THEN false END`;
}

/** The same of a flag that says nothing of now, where `current` would be no yes. */
export function plainFlagValue(expression: string): string {
  return `CASE WHEN lower(trim(${expression})) IN (${words(YES)}) THEN true WHEN lower(trim(${expression})) IN (${words(NO)}) THEN false END`;
}

export function isYes(flag: unknown): boolean {
  return YES.includes(String(flag).trim().toLowerCase());
}
