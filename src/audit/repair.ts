import type { Contract } from '../contract/contract.ts';
import type { Dialect } from './dialect.ts';
import { isOpen } from './version.ts';

/**
 * SQL that repairs a kind of violation, where there is only one way to do it; null where somebody has to decide. It is shown, never run,
 * and names the table as the user has to.
 */
export function repairSql(check: string, contract: Contract, table: string, dialect: Dialect): string | null {
  const { columns } = contract;
  const q = dialect.quote;
  const keys = columns.key.map(({ name }) => q(name)).join(', ');
  const from = q(columns.validFrom.name);
  if (check === 'current-flag' && columns.isCurrent !== null && columns.validTo !== null) {
    const flag = q(columns.isCurrent.name);
    const open = isOpen(contract, dialect);
    return `UPDATE ${table} SET ${flag} = ${open} WHERE ${flag} IS NULL OR ${flag} <> ${open};`;
  }
  if (check === 'no-repeat' && columns.validTo !== null && contract.end === 'exclusive') {
    const to = q(columns.validTo.name);
    const state = columns.tracked.map(({ name }) => q(name));
    const same = state.map((name) => `${name} IS NOT DISTINCT FROM lag(${name}) OVER w`).join(' AND ');
    const flag = columns.isCurrent === null ? null : q(columns.isCurrent.name);
    const last = (name: string) =>
      `last_value(${name}) OVER (PARTITION BY ${keys}, run ORDER BY ${from} ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)`;
    return `-- Versions that only repeat the one before are left out, and the one before ends where the last of them did.
CREATE TABLE repaired AS
WITH marked AS (
  SELECT *, CASE WHEN lag(${to}) OVER w = ${from} AND ${same} THEN 0 ELSE 1 END AS begins
  FROM ${table} WINDOW w AS (PARTITION BY ${keys} ORDER BY ${from})),
numbered AS (
  SELECT *, sum(begins) OVER (PARTITION BY ${keys} ORDER BY ${from}) AS run FROM marked),
ended AS (
  SELECT *, ${last(to)} AS ends${flag === null ? '' : `, ${last(flag)} AS flag`} FROM numbered)
SELECT * EXCLUDE (begins, run, ends${flag === null ? '' : ', flag'}) REPLACE (ends AS ${to}${flag === null ? '' : `, flag AS ${flag}`}) FROM ended WHERE begins = 1;`;
  }
  if (check === 'bounds-valid' && columns.validTo !== null && contract.end === 'exclusive')
    return `-- A version of zero length holds at no instant. One that has no start, or ends before it starts, is for you to decide.
DELETE FROM ${table} WHERE ${q(columns.validTo.name)} = ${from};`;
  if (check === 'unique-start')
    return `-- Rows that are the same in every column are one. Rows that start together and differ are for you to decide.
CREATE TABLE repaired AS SELECT DISTINCT * FROM ${table};`;
  return null;
}
