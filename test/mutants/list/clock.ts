import { STRICT } from '../contracts.ts';
import type { ScriptMutant } from '../mutant.ts';

/** Scripts that read a clock in a way that only shows by repetition: `clock.test.ts` sends them what `runClock` sends. */

const EXAMPLE = 'examples/observation-log.sql';
const INTO_LOG = 'INSERT INTO observation SELECT :as_of, customer_id, customer_segment, street FROM batch';
const RUN = 'FROM observation JOIN numbered_snapshot USING (as_of)';

export const CLOCK: readonly ScriptMutant[] = [
  {
    id: 'sql-clock-read-twice',
    title: 'The clock is read for the end of a version, and again for the start of the next',
    source: ['TIM-01', 'seed 004: current_timestamp() called inside a transform'],
    contract: {},
    leads: 'clock-injected',
    script: 'test/mutants/clock-read-twice.sql',
    replace: [],
  },
  {
    id: 'sql-future-left-out',
    title: 'Rows of what is still to come by the clock on the wall are left out',
    source: ['TIM-10'],
    contract: STRICT,
    leads: 'clock-injected',
    script: EXAMPLE,
    replace: [[INTO_LOG, `${INTO_LOG} WHERE :as_of <= now()`]],
  },
  {
    id: 'sql-seven-years-kept',
    title: 'What was observed more than seven years ago by the clock on the wall is forgotten',
    source: ['TIM-10'],
    contract: STRICT,
    leads: 'clock-injected',
    script: EXAMPLE,
    replace: [[RUN, `${RUN} WHERE as_of > current_date - INTERVAL 7 YEAR`]],
  },
];
