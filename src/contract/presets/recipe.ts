import type { Preset } from '../presets.ts';

/** The notebook recipe: MERGE to close, INSERT by left join to open, stamped with the current date. */
export const recipe: Preset = {
  id: 'recipe',
  title: 'A daily delta, stamped with the current date of the database; in order; no deletes.',
  source: 'the recipe "Slowly changing dimensions (SCD Type 2)" in a lakehouse course',
  url: null,
  decisions: { feed: 'delta', clock: 'moved', grain: 'day', late: 'never', deletes: 'never' },
  because: {
    feed: 'staged rows',
    clock: 'current_date of the database',
    grain: 'dates',
    late: 'the clock does not go back',
    deletes: 'nothing is said of deletes',
  },
};
