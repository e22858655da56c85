import type { Preset } from '../presets.ts';

export const dbtCheck: Preset = {
  id: 'dbt-check',
  title:
    "A dbt snapshot with `strategy='check'`: a full query each run, dated by the clock of the run, absence ignored.",
  source: 'dbt documentation, "Snapshot configurations" and "hard_deletes" (dbt Core 1.9 and later)',
  url: 'https://docs.getdbt.com/reference/snapshot-configs',
  decisions: {
    deletes: 'ignore',
    clock: 'wall',
    late: 'never',
    untracked: 'frozen',
  },
  because: {
    deletes:
      '`hard_deletes` is `ignore` by default. `invalidate` is `deletes: close`, `new_record` is `marker-row`',
    clock: '`dbt_valid_from` is the time of the run; nothing sets it',
    late: 'a run has no instant but its own, so none is late',
    untracked: 'columns outside `check_cols` are written with a new version only',
  },
};
