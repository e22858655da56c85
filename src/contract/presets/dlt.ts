import type { Preset } from '../presets.ts';

export const dlt: Preset = {
  id: 'dlt',
  title:
    "dlt's merge strategy `scd2`: a full extract each load, absence retires, the boundary timestamp given.",
  source:
    'dlt documentation, "Merge loading", section "scd2 strategy" (read at commit 0510595 of dlt-hub/dlt)',
  url: 'https://dlthub.com/docs/general-usage/merge-loading',
  decisions: {
    deletes: 'close',
    clock: 'injected',
    openMarker: 'null',
    reappearance: 'gap',
    late: 'never',
  },
  because: {
    deletes:
      'without a `merge_key` absent records are retired; the natural key as `merge_key` is `feed: delta`',
    clock:
      '`boundary_timestamp` is the start of what is new and the end of what is retired. Without it the time of the load package is taken: `clock: wall`',
    openMarker: '`active_record_timestamp` is NULL by default',
    reappearance: 'a record that is inserted again has a window of its own',
    late: 'nothing is said of boundary timestamps that go back',
  },
};
