import type { Preset } from '../presets.ts';

/** A daily batch of changed rows, merged in two steps: close what changed, insert what is no longer current. */
export const dailyMerge: Preset = {
  id: 'daily-merge',
  title: 'A daily delta, merged in order; dates, not timestamps; the source deletes nothing.',
  source: 'the exercise "SCD2 with MERGE INTO" (close, then insert by anti-join)',
  url: null,
  decisions: { feed: 'delta', grain: 'day', late: 'never', deletes: 'never' },
  because: {
    feed: 'the source rows of a day',
    grain: 'valid_from and valid_to are dates',
    late: 'days are merged in order',
    deletes: 'the source deletes nothing',
  },
};
