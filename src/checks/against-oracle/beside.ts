import type { Column } from '../../contract/columns.ts';
import type { Contract } from '../../contract/contract.ts';
import { besideColumns, besideOf } from '../../contract/types.ts';
import { quoteText } from '../../duckdb/sql.ts';
import { judged } from '../check.ts';
import { folded } from '../interpret.ts';

/**
 * Rows whose values beside their attributes (previous ones of type 3, current ones of type 6) are not those of `expected_beside`: for each
 * the first column that differs, with the value that it should have and the one that it has.
 *
 * @param held the relation of the rows that are there
 * @param expected the one of those that should be: only rows that are right in all else are looked at
 */
export function wrongBeside(contract: Contract, held: string, expected: string, same: string): string {
  const { tracked } = contract.columns;
  const places = besideOf(contract);
  const differs = places.map((at, index) => {
    const value = (source: string) => folded(`${source}.b${index}`, tracked[at]!, contract.compare);
    return `${value('w')} IS DISTINCT FROM ${value('h')}`;
  });
  const first = (value: (index: number, column: Column) => string) =>
    `CASE ${besideColumns(contract)
      .map((column, index) => `WHEN ${differs[index]} THEN ${value(index, column)}`)
      .join(' ')} END`;
  return `SELECT v.feed, v.step, v.key, v.valid_from, v.valid_to,
      ${first((_, { name }) => quoteText(name))} AS name,
      ${first((index) => `CAST(w.b${index} AS VARCHAR)`)} AS wanted, ${first((index) => `CAST(h.b${index} AS VARCHAR)`)} AS has
    FROM ${held} v JOIN ${expected} e USING (feed, step, key, state, is_deleted${same})
    JOIN expected_beside w ON w.feed = e.feed AND w.step = e.step AND w.key = e.key AND w.valid_from = e.valid_from AND w.is_deleted = e.is_deleted
    JOIN held_values h ON h.feed = v.feed AND h.step = v.step AND h.row = v.row
    WHERE ${judged('v')} AND (${differs.join(' OR ')})`;
}
