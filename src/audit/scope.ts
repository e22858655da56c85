import { parseDuration } from '../cli/arguments.ts';
import { UsageError } from '../cli/usage-error.ts';
import type { Contract } from '../contract/contract.ts';
import { formatInstant, parseInstant } from '../contract/instant.ts';
import { DUCKDB } from './dialect.ts';
import { keyHash } from './screen.ts';
import { isOpen } from './version.ts';

/** Which keys are audited. Always keys and never rows: without its neighbours a version has gaps that are not there. */
export interface ScopeOptions {
  /** A condition over the table's own columns; every version of a key counts that has one version for which it is true. */
  readonly keysWhere: string | null;
  /** ISO; keys with a version that began or ended since. */
  readonly changedSince: string | null;
  /** `10m`; keys that were touched more recently are left out, because a load may still be at them. */
  readonly minAge: string | null;
  /** `5%`: that share of the keys, the same ones each time. */
  readonly sample: string | null;
}

/**
 * Conditions, each true for all rows of a key or for none.
 * @param now microseconds
 */
export function scopeConditions(
  contract: Contract,
  from: string,
  options: ScopeOptions,
  now: bigint,
): readonly string[] {
  const hk = keyHash(contract);
  const keys = (where: string) => `(SELECT ${hk} FROM ${from} WHERE ${where})`;
  const conditions: string[] = [];
  if (options.keysWhere !== null) conditions.push(`${hk} IN ${keys(`(${options.keysWhere})`)}`);
  if (options.changedSince !== null) {
    const since = parseInstant(options.changedSince);
    if (since === null)
      throw new UsageError(
        `\`--changed-since\` cannot be \`${options.changedSince}\`. Write a date or an instant: 2026-03-01, 2026-03-01T06:00:00Z.`,
      );
    conditions.push(`${hk} IN ${keys(touched(contract, since, null))}`);
  }
  if (options.minAge !== null) {
    const age = BigInt(Math.round(parseDuration(options.minAge, '--min-age') * 1000));
    conditions.push(`${hk} NOT IN ${keys(touched(contract, now - age, now))}`);
  }
  if (options.sample !== null)
    conditions.push(`${hk} % 1000000 < ${Math.round(share(options.sample) * 1e6)}`);
  return conditions;
}

function touched(contract: Contract, since: bigint, until: bigint | null): string {
  const within = (name: string) => {
    const column = `CAST(${DUCKDB.quote(name)} AS TIMESTAMP)`;
    const upper = until === null ? '' : ` AND ${column} <= ${DUCKDB.timestamp(formatInstant(until))}`;
    return `${column} >= ${DUCKDB.timestamp(formatInstant(since))}${upper}`;
  };
  const { validFrom, validTo } = contract.columns;
  if (validTo === null) return within(validFrom.name);
  return `(${within(validFrom.name)} OR (NOT ${isOpen(contract, DUCKDB)} AND ${within(validTo.name)}))`;
}

function share(text: string): number {
  const match = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/.exec(text);
  const value = Number(match?.[1]) / (match?.[2] === '%' ? 100 : 1);
  if (match === null || !(value > 0 && value <= 1))
    throw new UsageError(`\`--sample\` cannot be \`${text}\`. Write a share of the keys: 5%, 0.05.`);
  return value;
}
