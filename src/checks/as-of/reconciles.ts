import { always, type Check } from '../check.ts';
import { count } from '../words.ts';

export const reconciles: Check = {
  id: 'reconciles',
  group: 'as-of',
  title: 'Totals by tracked attribute are those of the right history, the UNKNOWN member included.',
  why: 'This is the number that people look at.',
  implies: [],
  skip: always,
  violations:
    () => `SELECT feed, step, key, count(*) AS groups, sum(abs(coalesce(e.amount, 0) - coalesce(a.amount, 0))) AS difference FROM
      (SELECT feed, step, key, coalesce(expected_state, -1) AS state, sum(amount) AS amount FROM fact_met GROUP BY ALL) e
      FULL JOIN (SELECT feed, step, key, coalesce(state, -1) AS state, sum(amount) AS amount FROM fact_row GROUP BY ALL) a USING (feed, step, key, state)
    WHERE e.amount IS DISTINCT FROM a.amount GROUP BY feed, step, key`,
  exercised: () => 'SELECT count(*) FROM fact',
  message: ({ groups }) =>
    `${count(groups!, 'total')} by attribute ${Number(groups) === 1 ? 'differs' : 'differ'} from the right one.`,
};
