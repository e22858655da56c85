import { always, type Check } from '../check.ts';
import { at, count } from '../words.ts';

export const coverage: Check = {
  id: 'coverage',
  group: 'as-of',
  title: 'A fact meets a version exactly when its key was there.',
  why: 'A fact that meets none lands on the UNKNOWN member; one that meets a version of a deleted customer brings them back to life.',
  implies: ['reconciles'],
  skip: always,
  violations:
    () => `SELECT feed, step, key, min(instant) AS instant, meets = 0 AS lost, count(*) AS facts FROM fact_met
    WHERE (expected_state IS NOT NULL AND meets = 0) OR (expected_state IS NULL AND meets > 0) GROUP BY feed, step, key, meets = 0`,
  exercised: () => 'SELECT count(*) FROM fact',
  message: ({ instant, lost, facts }) =>
    lost === true
      ? `A fact at ${at(instant!)} meets no version, though its key was there (${count(facts!, 'fact')} in all).`
      : `A fact at ${at(instant!)} meets a version, though its key was not there (${count(facts!, 'fact')} in all).`,
};
