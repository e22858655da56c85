import type { Preset } from '../presets.ts';

export const sqlmeshByTime: Preset = {
  id: 'sqlmesh-by-time',
  title:
    'A SQLMesh model of kind SCD_TYPE_2_BY_TIME: `updated_at` makes and dates versions; the first begin in 1970.',
  source:
    'SQLMesh documentation, "Model kinds", section "SCD Type 2" (read at commit 02a53f8 of TobikoData/sqlmesh)',
  url: 'https://sqlmesh.readthedocs.io/en/stable/concepts/models/model_kinds/',
  decisions: {
    stamp: 'row-time',
    changeBy: 'row-time',
    firstStart: '1970-01-01',
    deletes: 'close',
    reappearance: 'gap',
    late: 'never',
  },
  because: {
    stamp: '`valid_from` is the `updated_at` of the row',
    changeBy: '`updated_at` is checked for new or updated records',
    firstStart: 'the default, unless `updated_at_as_valid_from` is set',
    deletes: '`invalidate_hard_deletes` true: the end is the execution time. False is `deletes: ignore`',
    reappearance:
      'a record that is back starts at its `updated_at`, or at the end of the deleted one if that is later',
    late: 'nothing is said of an older `updated_at`',
  },
};
