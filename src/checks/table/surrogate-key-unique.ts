import type { Contract } from '../../contract/contract.ts';
import { hasCurrentTable, TYPES } from '../../contract/types.ts';
import type { Check } from '../check.ts';
import { count } from '../words.ts';

export const surrogateKeyUnique: Check = {
  id: 'surrogate-key-unique',
  group: 'table',
  beyondOracle: true,
  types: TYPES,
  title: 'No two rows of a table have the same surrogate key.',
  why: 'Facts point at rows by this key: where two rows share it, each fact that points there counts twice.',
  implies: [],
  skip: ({ columns }) => (columns.surrogateKey === null ? 'the dimension has no surrogate key' : null),
  violations: ({ contract }) =>
    tablesOf(contract)
      .map(
        (table) => `SELECT feed, step, min(key) AS key, surrogate, count(*) AS rows FROM ${table}
    WHERE surrogate IS NOT NULL GROUP BY feed, step, surrogate HAVING count(*) > 1`,
      )
      .join('\n    UNION ALL '),
  exercised: ({ contract }) =>
    `SELECT count(*) FROM ${hasCurrentTable(contract) ? 'dimension_row' : 'version'} WHERE surrogate IS NOT NULL`,
  message: ({ surrogate, rows }) => `${count(rows!, 'row')} have the surrogate key ${surrogate}.`,
};

/** The two tables of type 4 may count apart. */
function tablesOf(contract: Contract): readonly string[] {
  return hasCurrentTable(contract) ? ['current_row', 'version'] : ['version'];
}
