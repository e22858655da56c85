import type { Preset } from '../presets.ts';

export const autoCdc: Preset = {
  id: 'auto-cdc',
  title:
    'Databricks AUTO CDC, stored as SCD type 2: a log of changes in any order, dated by its sequence column.',
  source: 'Databricks documentation, "The AUTO CDC APIs: Simplify change data capture with pipelines"',
  url: 'https://docs.databricks.com/aws/en/ldp/cdc',
  decisions: {
    feed: 'changes',
    deletes: 'close',
    late: 'apply',
    lateEvidence: 'log',
    sameInstant: 'never',
    duplicates: 'equal',
    untracked: 'any',
  },
  because: {
    feed: 'events with keys, and a column by which they are sequenced',
    deletes: '`APPLY AS DELETE WHEN`: the event ends the open version',
    late: 'events that arrive out of order are put where they belong',
    lateEvidence: 'it keeps what it needs for that in a table of its own',
    sameInstant: 'there is to be one distinct update for each key at each value of the sequence',
    duplicates: 'the same',
    untracked: 'columns outside `TRACK HISTORY ON` make no version',
  },
};
