/** The canonical relations that checks are written over, for readers of their queries. Their definition is in `src/checks/interpret.ts` and `src/oracle/duckdb/`. */
export const RELATIONS: readonly { readonly name: string; readonly about: string }[] = [
  {
    name: 'version',
    about:
      'a row of the dimension after a batch: `key`, `state`, `extra`, `valid_from`, `valid_to` (exclusive, NULL where open), `is_open`, `is_current`, `is_deleted` (a marker row), `null_key`, `hash`, `surrogate`; `raw_from` and `raw_to` as they stand in the table',
  },
  {
    name: 'current_row',
    about:
      'a row of a table that is overwritten (types 1, 3 and 4) after a batch: `key`, `state`, `extra`, `is_deleted`; NULL where `version` has bounds',
  },
  { name: 'dimension_row', about: 'a row of either, where there are both' },
  {
    name: 'held_values',
    about:
      'a row as it came, by its number `row`: `b0`, `b1`, … are the previous or current values beside its attributes (types 3 and 6)',
  },
  { name: 'step', about: 'a batch after which the dimension was read' },
  { name: 'load', about: 'a batch that was sent: its instant `as_of` and its number of `rows`' },
  {
    name: 'delivered',
    about: 'a row of a batch: `key`, `state`, `extra`, `instant`, `is_delete`, `null_key`, `first_start`',
  },
  { name: 'happened', about: 'what the implementation answered to a batch: `status` and `reason`' },
  {
    name: 'held_column',
    about: 'a column of the dimension after a batch, with `rows` and how many are `filled`',
  },
  {
    name: 'expected',
    about:
      'a version that should be there after a batch: `key`, `state`, `valid_from`, `valid_to`, `is_deleted`',
  },
  { name: 'expected_current', about: 'a row that a table that is overwritten should have after a batch' },
  {
    name: 'expected_beside',
    about:
      'the values `b0`, `b1`, … that should stand beside the attributes of a row of `expected_current` (type 3) or `expected` (type 6)',
  },
  {
    name: 'expected_key',
    about:
      'a key after a batch; `forgiven` where evidence was lost, `ambiguous` where the contract leaves the winner open',
  },
  { name: 'excused', about: 'a key whose content is not judged after a batch: forgiven or ambiguous' },
  { name: 'outcome', about: 'whether the contract refuses a batch: `rejected`' },
  {
    name: 'observed_log',
    about:
      'an observation of a key at an `instant`, with the range of batches `live_from` to `live_to` after which it stands, and whether it was `late_by_key`',
  },
  { name: 'untracked_judged', about: 'a version whose untracked attributes are judged' },
  { name: 'untracked_right', about: 'a right value (`extra`) of the untracked attributes of a version' },
  {
    name: 'untracked_judged_current',
    about: 'a row of `expected_current` whose untracked attributes are judged',
  },
  { name: 'untracked_right_current', about: 'a right value of them' },
  {
    name: 'fact',
    about: 'a fact: a key at an `instant`, with an `amount`; at every boundary of a version, and beside it',
  },
  {
    name: 'fact_met',
    about:
      'a fact of a key whose versions are not the expected ones, with the number of versions that it `meets`, the state that it met and the `expected_state` (NULL where the key was not there)',
  },
  {
    name: 'fact_row',
    about: 'a fact beside a version that it meets, `state` NULL where there is none; with its `amount`',
  },
];
