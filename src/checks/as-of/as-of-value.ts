import { always, type Check } from '../check.ts';
import { at, count } from '../words.ts';

export const asOfValue: Check = {
  id: 'as-of-value',
  group: 'as-of',
  title: 'The version that a fact meets has the attributes of that time.',
  why: 'Revenue by segment last year gets another answer: the total is right, and its parts are not.',
  implies: ['reconciles'],
  skip: always,
  violations: () => `SELECT feed, step, key, min(instant) AS instant, count(*) AS facts FROM fact_met
    WHERE meets = 1 AND expected_state IS NOT NULL AND met_state <> expected_state GROUP BY feed, step, key`,
  exercised: () => 'SELECT count(*) FROM fact',
  message: ({ instant, facts }) =>
    `A fact at ${at(instant!)} meets a version with the attributes of another time (${count(facts!, 'fact')} in all).`,
};
