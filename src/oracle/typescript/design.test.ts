import { describe, expect, test } from 'vitest';
import { batch, deleted, delta, strict, timelineOf, timelines, x, y } from './testing.ts';

/* The worked examples of the design ("Worth knowing, each a test"). */

test('A at 1, B at 2, A at 3: three versions', () => {
  expect(timelines(strict(), [batch(1, x('A')), batch(2, x('B')), batch(3, x('A'))])).toEqual([
    'A [1,∞)',
    'A [1,2) B [2,∞)',
    'A [1,2) B [2,3) A [3,∞)',
  ]);
});

test('a repeat changes nothing', () => {
  expect(timelineOf(strict(), [batch(1, x('A')), batch(2, x('A')), batch(3, x('B'))])).toBe(
    'A [1,3) B [3,∞)',
  );
});

test('NULL is a state like any other', () => {
  expect(
    timelineOf(strict(), [batch(1, x(null)), batch(2, x(null)), batch(3, x('A')), batch(4, x(null))]),
  ).toBe(' [1,3) A [3,4)  [4,∞)');
});

describe.each([
  ['snapshot', strict()],
  ['delta', delta()],
])('late batches of a %s feed', (_name, contract) => {
  test('B at 2, then A at 1: both versions', () => {
    expect(timelines(contract, [batch(2, x('B')), batch(1, x('A'))])).toEqual(['B [2,∞)', 'A [1,2) B [2,∞)']);
  });

  test('A at 1, B at 3, then B at 2: the boundary moves back', () => {
    expect(timelineOf(contract, [batch(1, x('A')), batch(3, x('B')), batch(2, x('B'))])).toBe(
      'A [1,2) B [2,∞)',
    );
  });

  test('A at 2, then A at 1: one version, from 1', () => {
    expect(timelineOf(contract, [batch(2, x('A')), batch(1, x('A'))])).toBe('A [1,∞)');
  });

  test('A at 1, A at 3, then B at 2: the repeat at 3 was evidence', () => {
    expect(timelineOf(contract, [batch(1, x('A')), batch(3, x('A')), batch(2, x('B'))])).toBe(
      'A [1,2) B [2,3) A [3,∞)',
    );
  });

  test('A at 3, A at 1, then B at 2: so was the 3 that the start moved away from', () => {
    expect(timelineOf(contract, [batch(3, x('A')), batch(1, x('A')), batch(2, x('B'))])).toBe(
      'A [1,2) B [2,3) A [3,∞)',
    );
  });
});

describe.each([
  ['snapshot', strict({ lateEvidence: 'dimension' })],
  ['delta', delta({ lateEvidence: 'dimension' })],
])('lost evidence of a %s feed', (_name, contract) => {
  test('a repeat that changed nothing is lost', () => {
    expect(timelines(contract, [batch(1, x('A')), batch(3, x('A')), batch(2, x('B'))])).toEqual([
      'A [1,∞)',
      'A [1,∞)',
      'A [1,2) B [2,3) A [3,∞) (forgiven)',
    ]);
  });

  test('a start that moved back is lost', () => {
    expect(timelines(contract, [batch(3, x('A')), batch(1, x('A')), batch(2, x('B'))])).toEqual([
      'A [3,∞)',
      'A [1,∞)',
      'A [1,2) B [2,3) A [3,∞) (forgiven)',
    ]);
  });

  test('what the dimension still shows is not forgiven', () => {
    expect(timelineOf(contract, [batch(2, x('B')), batch(1, x('A'))])).toBe('A [1,2) B [2,∞)');
    expect(timelineOf(contract, [batch(1, x('A')), batch(3, x('B')), batch(2, x('B'))])).toBe(
      'A [1,2) B [2,∞)',
    );
    expect(timelineOf(contract, [batch(1, x('A')), batch(3, x('B')), batch(2, x('C'))])).toBe(
      'A [1,2) C [2,3) B [3,∞)',
    );
  });

  test('a history that later evidence mends is forgiven no longer', () => {
    expect(
      timelines(contract, [batch(1, x('A')), batch(3, x('A')), batch(2, x('B')), batch(3, x('A'))]).slice(2),
    ).toEqual(['A [1,2) B [2,3) A [3,∞) (forgiven)', 'A [1,2) B [2,3) A [3,∞)']);
  });
});

test('an end still shows the absence, but not one that repeated it', () => {
  const contract = strict({ lateEvidence: 'dimension' });
  expect(timelines(contract, [batch(1, x('A')), batch(2), batch(4), batch(3, x('A'))])).toEqual([
    'A [1,∞)',
    'A [1,2)',
    'A [1,2)',
    'A [1,2) A [3,4) (forgiven)',
  ]);
});

test('a key that was deleted before it was known is lost evidence when it comes', () => {
  const contract = delta({ lateEvidence: 'dimension' });
  expect(timelines(contract, [batch(2, { k: 'x', ...deleted }), batch(1, x('A'))])).toEqual([
    'no version',
    'A [1,2) (forgiven)',
  ]);
});

describe('deletes', () => {
  test('deleted at 2, back unchanged at 3: a new version, and a gap that is right', () => {
    expect(timelines(strict(), [batch(1, x('A')), batch(2), batch(3, x('A'))])).toEqual([
      'A [1,∞)',
      'A [1,2)',
      'A [1,2) A [3,∞)',
    ]);
  });

  test('a delta says so with an operation; a key it does not mention stays', () => {
    const batches = [batch(1, x('A'), y('A')), batch(2, y('B')), batch(3, x('A', deleted)), batch(4, x('A'))];
    expect(timelines(delta(), batches)).toEqual(['A [1,∞)', 'A [1,∞)', 'A [1,3)', 'A [1,3) A [4,∞)']);
  });

  test('operations are read in any case, in full or by letter', () => {
    for (const op of ['D', 'd', 'DELETE', 'Delete']) {
      expect(timelineOf(delta(), [batch(1, x('A')), batch(2, x('A', { op }))])).toBe('A [1,2)');
    }
    for (const op of ['U', 'I', null, 'DELETED']) {
      expect(timelineOf(delta(), [batch(1, x('A')), batch(2, x('A', { op }))])).toBe('A [1,∞)');
    }
  });

  test('a late absence ends what came in order', () => {
    expect(timelineOf(strict(), [batch(1, x('A')), batch(3, x('A')), batch(2)])).toBe('A [1,2) A [3,∞)');
  });

  test('a key named by a late snapshot was absent from the ones after it', () => {
    const batches = [batch(1, y('B')), batch(3, y('B')), batch(2, x('A'), y('B'))];
    expect(timelines(strict(), batches)).toEqual(['not named', 'not named', 'A [2,3)']);
  });
});
