import type { Preset } from '../presets.ts';

/** A change stream in micro-batches, one change for each key used from each. */
export const stream: Preset = {
  id: 'stream',
  title: 'Changes with their own instants, one of each key used from a micro-batch; in order; no deletes.',
  source: 'the exercise "Streaming SCD2 upsert with foreachBatch and MERGE INTO"',
  url: null,
  decisions: { feed: 'changes', batchStates: 'one', late: 'never', deletes: 'never' },
  because: {
    feed: 'a change stream with instants of its own',
    batchStates: 'one change of each key is used from a micro-batch',
    late: 'changes come in order',
    deletes: 'nothing is said of deletes',
  },
};
