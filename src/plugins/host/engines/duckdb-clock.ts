/**
 * `clock: moved` on DuckDB: macros of these names in the main schema shadow the built-in functions, and the
 * keywords `current_date`, `current_timestamp` and `localtimestamp` resolve to them too. They read a variable, so
 * that they are made once and a DEFAULT that calls one follows the clock.
 *
 * `current_timestamp` in a DEFAULT calls `get_current_timestamp`, everywhere else `current_timestamp`: both are
 * needed. What stays out of reach: `now()` qualified with `system.main`, and other sessions' extensions.
 */
const VARIABLE = 'scd2check_now';

const MACROS: Readonly<Record<string, string>> = {
  now: 'TIMESTAMPTZ',
  get_current_timestamp: 'TIMESTAMPTZ',
  transaction_timestamp: 'TIMESTAMPTZ',
  current_timestamp: 'TIMESTAMPTZ',
  current_localtimestamp: 'TIMESTAMP',
  today: 'DATE',
  current_date: 'DATE',
  get_current_time: 'TIMETZ',
  current_time: 'TIMETZ',
  current_localtime: 'TIME',
};

/** Statements that put the clock under the harness's control, at the epoch. */
export function moveClockSql(): string {
  const macros = Object.entries(MACROS).map(
    ([name, type]) => `CREATE OR REPLACE MACRO main.${name}() AS getvariable('${VARIABLE}')::${type};`,
  );
  return [setClockSql('1970-01-01 00:00:00'), ...macros].join('\n');
}

/** `instant` is ISO text without a zone, UTC. */
export function setClockSql(instant: string): string {
  return `SET VARIABLE ${VARIABLE} = TIMESTAMPTZ '${instant}+00';`;
}
