import { always, type Check } from '../check.ts';
import { at, count } from '../words.ts';

export const noFanOut: Check = {
  id: 'no-fan-out',
  group: 'as-of',
  title: 'A fact meets at most one version in the as-of join.',
  why: 'A fact that meets two versions is counted twice. It is a small error, on the day of a change, that survives until year-end reconciliation.',
  implies: ['reconciles'],
  skip: always,
  violations: () =>
    'SELECT feed, step, key, min(instant) AS instant, max(meets) AS meets, count(*) AS facts FROM fact_met WHERE meets > 1 GROUP BY feed, step, key',
  exercised: () => 'SELECT count(*) FROM fact',
  message: ({ instant, meets, facts }) =>
    `A fact at ${at(instant!)} meets ${count(meets!, 'version')} (${count(facts!, 'fact')} in all).`,
};
