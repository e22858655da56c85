import type { Preset } from '../presets.ts';

export const dbtTimestamp: Preset = {
  id: 'dbt-timestamp',
  title:
    "A dbt snapshot with `strategy='timestamp'`: a newer `updated_at` is a version, and dates it; absence ignored.",
  source: 'dbt documentation, "Snapshot configurations" and "hard_deletes" (dbt Core 1.9 and later)',
  url: 'https://docs.getdbt.com/reference/snapshot-configs',
  decisions: {
    stamp: 'row-time',
    changeBy: 'row-time',
    deletes: 'ignore',
    late: 'ignore',
    lateScope: 'key',
    untracked: 'frozen',
  },
  because: {
    stamp: '`dbt_valid_from` is the `updated_at` of the row',
    changeBy: 'a row has changed where its `updated_at` is newer, whatever else it says',
    deletes: '`hard_deletes` is `ignore` by default',
    late: 'a row whose `updated_at` is not newer than that of the snapshot is no change',
    lateScope: 'it is compared with the current row of its `unique_key`',
    untracked: 'a row is written when its `updated_at` is newer, and never touched but for its end',
  },
};
