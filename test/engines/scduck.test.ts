import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { byHand, check, outcome, reported } from './engine.ts';
import { environment, hasPython } from './environment.ts';

const file = (name: string) => fileURLToPath(new URL(`scduck/${name}`, import.meta.url));

const RIGHT = { exitCode: 0, verdict: 'pass', problems: [], first: null, others: [] };
const WRONG = { exitCode: 1, verdict: 'fail', problems: [] };
const IN_ORDER = ['--set', 'late=never', '--set', 'sameInstant=never'];

/** Out of order, or one date twice. `by-hand.py` says of one of each kind why it is true. */
const OUT_OF_ORDER = [
  // A snapshot that repeated a state is forgotten when a late one falls before it.
  'late-between-equal-repeats: version-count',
  'late-twice-between-equal-repeats: version-count',
  // What has become equal is not joined.
  'late-correction-joins-versions: no-repeat',
  'late-equal-to-the-next: no-repeat',
  'same-instant-return: no-repeat',
  'same-instant-undoes-a-change: no-repeat',
  // A version that is closed at its own start stays, at zero length.
  'same-instant-delete: bounds-valid',
];

/** NULL to a value, or back, is no change where the optimizer does not happen to make it one. */
const NULLS = [
  'null-to-value',
  'value-to-null',
  'null-between-values',
  'closed-null-stays-null',
  'empty-text-and-null',
  'placeholder-to-null',
  'null-moves-to-the-neighbour',
  'row-of-nulls',
].map((id) => `${id}: version-count`);

/** The leading finding, and the others by name. */
function led(first: string, findings: readonly string[]) {
  return { ...WRONG, first, others: findings.filter((one) => one !== first).sort() };
}

describe.skipIf(!hasPython())('scduck 0.1.1 with the versions that it was developed with', () => {
  let python = '';

  beforeAll(async () => {
    python = await environment('scduck-locked', file('requirements-locked.txt'));
  });

  test('is right where snapshots come in order, one for a date', async () => {
    expect(outcome(await check(python, file('adapter.py'), ...IN_ORDER))).toEqual(RIGHT);
  });

  test('is wrong under the contract that it claims: dates in any order, and again', async () => {
    expect(outcome(await check(python, file('adapter.py')))).toEqual(
      led('late-equal-to-the-next: no-repeat', OUT_OF_ORDER),
    );
  });
});

describe.skipIf(!hasPython())('scduck 0.1.1 as pip installs it, with DuckDB 2', () => {
  let python = '';

  beforeAll(async () => {
    python = await environment('scduck', file('requirements.txt'));
  });

  test('loses NULLs even where snapshots come in order, one for a date', async () => {
    expect(outcome(await check(python, file('adapter.py'), ...IN_ORDER))).toEqual(
      led('null-to-value: version-count', NULLS),
    );
  });

  test('is wrong under the contract that it claims, and holds what scd2check says it holds', async () => {
    const claimed = await check(python, file('adapter.py'));
    expect(outcome(claimed)).toEqual(led('null-to-value: version-count', [...NULLS, ...OUT_OF_ORDER]));
    const absent = await check(python, file('adapter.py'), '--feed', file('absent-between.json'));
    expect(outcome(absent)).toEqual({ ...WRONG, first: 'absent-between.json: content', others: [] });
    const shown = await byHand(python, file('by-hand.py'));
    expect(reported([claimed, absent], Object.keys(shown))).toEqual(shown);
  });
});
