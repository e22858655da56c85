import type { Preset } from '../presets.ts';

/** A change stream in micro-batches, one change for each key used from each. */
export const stream: Preset = {
  id: 'stream',
  title: 'Changes with their own instants, one of each key used from a micro-batch; in order; no deletes.',
  source: 'the exercise "Streaming SCD2 upsert with foreachBatch and MERGE INTO"',
  decisions: { feed: 'changes', batchStates: 'one', late: 'never', deletes: 'never' },
};
