import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { byHand, check, outcome, reported } from './engine.ts';
import { environment, hasPython } from './environment.ts';

const file = (name: string) => fileURLToPath(new URL(`pygrametl/${name}`, import.meta.url));

const RIGHT = { exitCode: 0, verdict: 'pass', problems: [], first: null, others: [] };

describe.skipIf(!hasPython())('pygrametl 2.9', () => {
  let python = '';

  beforeAll(async () => {
    python = await environment('pygrametl', file('requirements.txt'));
  });

  test('is right where each member comes in order, once for an instant', async () => {
    expect(outcome(await check(python, file('adapter.py')))).toEqual(RIGHT);
  });

  test('is right where NULL is a key like any other', async () => {
    expect(outcome(await check(python, file('adapter.py'), '--set', 'nullKey=value'))).toEqual(RIGHT);
  });

  test('is wrong where data comes late, or two states at one instant', async () => {
    const late = await check(python, file('adapter.py'), '--set', 'late=apply');
    const sameInstant = await check(python, file('adapter.py'), '--set', 'sameInstant=last');
    // `by-hand.py` says of one of each kind why it is true.
    expect(outcome(late)).toEqual({
      exitCode: 1,
      verdict: 'fail',
      problems: [],
      // Negative intervals: the late row takes the place of the newest version.
      first: 'late-arrival: bounds-valid',
      others: [
        'late-before-all: bounds-valid',
        // The repeat left no trace; `lateEvidence: dimension` would forgive it.
        'late-between-equal-repeats: version-count',
        'late-delete-row-before-all: bounds-valid',
        'late-delete-row-in-a-closed-version: bounds-valid',
        // A state that equals the newest is not looked at further, so its earlier start is lost.
        'late-equal-to-its-version: bounds-valid',
        'late-equal-to-the-next: content',
        'late-extends-the-first: content',
        'late-inside-a-closed-version: bounds-valid',
        'late-leaves-others-alone: bounds-valid',
        'late-newest-first: bounds-valid',
        'late-return-to-an-older-value: bounds-valid',
        'late-twice-between-equal-repeats: bounds-valid',
        'late-two-in-a-row: bounds-valid',
        'redelivered-later: bounds-valid',
      ],
    });
    expect(outcome(sameInstant)).toEqual({
      exitCode: 1,
      verdict: 'fail',
      problems: [],
      // Versions of zero length.
      first: 'same-instant-last: bounds-valid',
      others: ['same-instant-undoes-a-change: bounds-valid'],
    });
    const shown = await byHand(python, file('by-hand.py'));
    expect(reported([late, sameInstant], Object.keys(shown))).toEqual(shown);
  });
});
