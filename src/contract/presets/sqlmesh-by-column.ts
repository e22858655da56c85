import type { Preset } from '../presets.ts';

export const sqlmeshByColumn: Preset = {
  id: 'sqlmesh-by-column',
  title:
    'A SQLMesh model of kind SCD_TYPE_2_BY_COLUMN: changed columns make versions, dated by the execution time.',
  source:
    'SQLMesh documentation, "Model kinds", section "SCD Type 2" (read at commit 02a53f8 of TobikoData/sqlmesh)',
  url: 'https://sqlmesh.readthedocs.io/en/stable/concepts/models/model_kinds/',
  decisions: {
    firstStart: '1970-01-01',
    firstStartScope: 'first-load',
    deletes: 'close',
    reappearance: 'gap',
    clock: 'injected',
    late: 'never',
  },
  because: {
    firstStart: 'the first load begins in 1970, unless `execution_time_as_valid_from` is set',
    firstStartScope: 'later new rows have the execution time',
    deletes: '`invalidate_hard_deletes` true: the end is the execution time. False is `deletes: ignore`',
    reappearance: 'a record that is back starts at the execution time',
    clock: 'the execution time can be given',
    late: 'execution times only go forward',
  },
};
