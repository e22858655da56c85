import { STRICT } from '../contracts.ts';
import type { Mutant } from '../mutant.ts';

/** SQL scripts: those of `test/broken` as they are, and the example with a text replaced. */

const EXAMPLE = 'examples/observation-log.sql';

function broken(id: string, title: string, source: readonly string[], leads: string): Mutant {
  return {
    id: `sql-${id}`,
    title,
    source,
    contract: STRICT,
    leads,
    script: `test/broken/${id}.sql`,
    replace: [],
  };
}

function replaced(
  id: string,
  title: string,
  source: readonly string[],
  leads: string,
  ...replace: readonly (readonly [string, string])[]
): Mutant {
  return { id: `sql-${id}`, title, source, contract: STRICT, leads, script: EXAMPLE, replace };
}

export const SCRIPTS: readonly Mutant[] = [
  broken(
    'insert-before-close',
    'The insert comes before the close, which then closes the new row',
    ['seed 000: do step 1 before step 2'],
    'bounds-valid',
  ),
  broken(
    'null-compare',
    'A MERGE compares with `<>`',
    ['NUL-01', 'seed 000: `t.attr <> u.attr`'],
    'version-count',
  ),
  broken('late-as-newest', 'A MERGE takes a late load for the newest', ['LAT-01'], 'bounds-valid'),
  broken(
    'delta-closes-missing',
    'NOT MATCHED BY SOURCE closes what a delta does not mention',
    ['DEL-04'],
    'untouched-keys',
  ),
  replaced(
    'snapshot-not-replaced',
    'A load that is delivered again is added to its former self',
    ['IDM-01'],
    'unique-start',
    ['DELETE FROM observation WHERE as_of = :as_of;', ''],
  ),
  replaced('flag-always-true', 'Each row is current', ['seed 002: flips is_current'], 'current-flag', [
    'valid_to IS NULL AS is_current',
    'true AS is_current',
  ]),
  replaced(
    'null-end-skipped',
    'An aggregate skips NULL, so a version that was seen twice ends where it was seen last',
    ['NUL-03', 'PRC-04'],
    'open-count',
    ['arg_max_null(next_as_of, n)', 'arg_max(next_as_of, n)'],
  ),
  replaced(
    'reordered-wrong',
    'Snapshots are numbered as they arrive, and not in order of time',
    ['LAT-01', 'LAT-06'],
    'bounds-valid',
    ['WINDOW in_time AS (ORDER BY as_of)', 'WINDOW in_time AS (ORDER BY rowid)'],
  ),
];
