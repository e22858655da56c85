import { describe, expect, test } from 'vitest';
import {
  at,
  batch,
  changes,
  column,
  deleted,
  delta,
  expected,
  iso,
  outcomes,
  rowTime,
  strict,
  timelineOf,
  timelines,
  untrackedOf,
  x,
  y,
} from './testing.ts';

/* Every contract field that changes the answer, option by option. Expected values are by hand, from the rules. */

test('how stamps, ends and transactions are written does not change what is expected', () => {
  const contract = strict({
    end: 'inclusive',
    openMarker: '9999-12-31',
    clock: 'moved',
    transaction: 'caller',
  });
  expect(timelineOf(contract, [batch(1, x('A')), batch(2, x('B'))])).toBe('A [1,2) B [2,∞)');
});

describe('grain', () => {
  const day = 86_400_000_000;

  test('day: two loads of a day are one instant', () => {
    const contract = strict({ grain: 'day', sameInstant: 'last' });
    const batches = [batch(day + 7, x('A')), batch(2 * day + 1, x('B')), batch(2 * day + 9, x('C'))];
    expect(timelineOf(contract, batches)).toBe(`A [${day},${2 * day}) C [${2 * day},∞)`);
  });

  test('row times and first starts are cut down too, towards the past', () => {
    const contract = changes({ grain: 'second', firstStart: 'created' });
    const row = x('A', { ...at(5_999_999), created: iso(-1) });
    expect(timelineOf(contract, [batch(9_000_000, row)])).toBe('A [-1000000,∞)');
  });
});

describe('feed: changes', () => {
  test('each row counts at its own instant', () => {
    const batches = [
      batch(9, x('A', at(1)), x('B', at(2))),
      batch(10, x('C', at(5)), x('A', { ...at(4), ...deleted })),
    ];
    expect(timelines(changes(), batches)).toEqual(['A [1,2) B [2,∞)', 'A [1,2) B [2,4) C [5,∞)']);
  });

  test('a row without an instant counts at its batch', () => {
    expect(timelineOf(changes(), [batch(9, x('A'))])).toBe('A [9,∞)');
  });
});

describe('firstStart', () => {
  test('a literal: the first version reaches back to it, later ones do not', () => {
    const contract = strict({ firstStart: '1970-01-01' });
    expect(timelineOf(contract, [batch(1, x('A')), batch(2), batch(3, x('A'))])).toBe('A [0,2) A [3,∞)');
  });

  test('a literal after the observed start changes nothing', () => {
    expect(timelineOf(strict({ firstStart: '1970-01-01' }), [batch(-5, x('A'))])).toBe('A [-5,∞)');
  });

  test('a column: what it holds in the row that opened the version; NULL is as observed', () => {
    const contract = strict({ firstStart: 'created' });
    expect(
      timelineOf(contract, [batch(5, x('A', { created: iso(2) })), batch(6, x('B', { created: iso(1) }))]),
    ).toBe('A [2,6) B [6,∞)');
    expect(timelineOf(contract, [batch(5, x('A')), batch(6, x('A', { created: iso(2) }))])).toBe('A [5,∞)');
  });

  test('it follows the first version where late data moves it', () => {
    const contract = strict({ firstStart: '1970-01-01' });
    expect(timelineOf(contract, [batch(3, x('A')), batch(2, x('B'))])).toBe('B [0,3) A [3,∞)');
  });

  test('first-load: only for keys of the first batch that counts', () => {
    const contract = strict({
      firstStart: '1970-01-01',
      firstStartScope: 'first-load',
      emptySnapshot: 'reject',
    });
    const batches = [batch(1), batch(2, x('A')), batch(3, x('A'), y('A')), batch(4, x('B'), y('B'))];
    expect(timelineOf(contract, batches, 'x')).toBe('A [0,4) B [4,∞)');
    expect(timelineOf(contract, batches, 'y')).toBe('A [3,4) B [4,∞)');
  });

  test('the dimension alone cannot tell a start that was moved', () => {
    const contract = strict({ firstStart: '1970-01-01', lateEvidence: 'dimension' });
    expect(timelines(contract, [batch(3, x('A')), batch(4, x('B')), batch(2, x('B'))])).toEqual([
      'A [0,∞)',
      'A [0,4) B [4,∞)',
      'B [0,3) A [3,4) B [4,∞) (forgiven)',
    ]);
  });
});

describe('deletes', () => {
  const batches = [batch(1, x('A')), batch(2), batch(3, x('B')), batch(4)];

  test('ignore: absences do not count', () => {
    expect(timelineOf(strict({ deletes: 'ignore' }), batches)).toBe('A [1,3) B [3,∞)');
    expect(timelineOf(delta({ deletes: 'ignore' }), [batch(1, x('A')), batch(2, x('A', deleted))])).toBe(
      'A [1,∞)',
    );
  });

  test('ignore: a key of which nothing but deletes came is named, and has no version', () => {
    expect(timelineOf(delta({ deletes: 'ignore' }), [batch(1, x('A', deleted))])).toBe('no version');
  });

  test('marker-row: the attributes of the version that ended, until the key returns', () => {
    expect(timelines(strict({ deletes: 'marker-row' }), batches)).toEqual([
      'A [1,∞)',
      'A [1,2) †A [2,∞)',
      'A [1,2) †A [2,3) B [3,∞)',
      'A [1,2) †A [2,3) B [3,4) †B [4,∞)',
    ]);
  });

  test('marker-row: one row for several absences in a row', () => {
    expect(
      timelineOf(strict({ deletes: 'marker-row' }), [batch(1, x('A')), batch(2), batch(3), batch(4, x('A'))]),
    ).toBe('A [1,2) †A [2,4) A [4,∞)');
  });

  test('marker-row: what the dimension shows of it is the end of the version', () => {
    const contract = strict({ deletes: 'marker-row', lateEvidence: 'dimension' });
    expect(timelines(contract, [...batches, batch(5, x('B'))]).at(-1)).toBe(
      'A [1,2) †A [2,3) B [3,4) †B [4,5) B [5,∞)',
    );
  });
});

describe('reappearance: bridge', () => {
  test('the new version starts where the old one ended, and is a new one', () => {
    const contract = strict({ reappearance: 'bridge' });
    expect(timelines(contract, [batch(1, x('A')), batch(2), batch(3, x('A'))])).toEqual([
      'A [1,∞)',
      'A [1,2)',
      'A [1,2) A [2,∞)',
    ]);
    expect(timelineOf(contract, [batch(1, x('A')), batch(2), batch(3), batch(4, x('B'))])).toBe(
      'A [1,2) B [2,∞)',
    );
  });

  test('a key that was absent before it was named begins at its own instant', () => {
    expect(timelineOf(strict({ reappearance: 'bridge' }), [batch(1, y('B')), batch(2, x('A'), y('B'))])).toBe(
      'A [2,∞)',
    );
  });

  test('the dimension still shows a bridge as two versions', () => {
    const contract = strict({ reappearance: 'bridge', lateEvidence: 'dimension' });
    expect(timelineOf(contract, [batch(1, x('A')), batch(2), batch(3, x('A')), batch(4, x('A'))])).toBe(
      'A [1,2) A [2,∞)',
    );
  });
});

describe('late', () => {
  test('ignore: A at 1, B at 2, then C at 1 leaves A', () => {
    const contract = strict({ late: 'ignore', sameInstant: 'last' });
    const batches = [batch(1, x('A')), batch(2, x('B')), batch(1, x('C'))];
    expect(timelineOf(contract, batches)).toBe('A [1,2) B [2,∞)');
    expect(outcomes(contract, ...batches)).toEqual(['applied', 'applied', 'applied']);
  });

  test('the instant of the latest batch itself is not late', () => {
    const contract = strict({ late: 'ignore', sameInstant: 'last' });
    expect(timelineOf(contract, [batch(2, x('A')), batch(2, x('B'))])).toBe('B [2,∞)');
  });

  const other = [batch(1, x('A')), batch(3, y('A')), batch(2, x('B'))];

  test('ignore by batch: late is what lies before any earlier batch', () => {
    expect(timelineOf(delta({ late: 'ignore', lateScope: 'batch' }), other)).toBe('A [1,∞)');
  });

  test('ignore by key: late is what lies before that key itself', () => {
    expect(timelineOf(delta({ late: 'ignore', lateScope: 'key' }), other)).toBe('A [1,2) B [2,∞)');
    const contract = delta({ late: 'ignore', lateScope: 'key' });
    expect(timelineOf(contract, [batch(1, x('A')), batch(3, x('A')), batch(2, x('B'))])).toBe('A [1,∞)');
  });

  test('ignore by batch: an empty batch moves the latest', () => {
    expect(timelineOf(delta({ late: 'ignore' }), [batch(1, x('A')), batch(3), batch(2, x('B'))])).toBe(
      'A [1,∞)',
    );
  });

  test('ignore by batch: with changes, asOf does not count, the rows do', () => {
    const contract = changes({ late: 'ignore' });
    const batches = [batch(9, x('A', at(1))), batch(10), batch(11, x('B', at(3)), x('C', at(2)))];
    expect(timelineOf(contract, batches)).toBe('A [1,2) C [2,3) B [3,∞)');
    expect(timelineOf(contract, [...batches, batch(12, x('D', at(2)), x('E', at(4)))])).toBe(
      'A [1,2) C [2,3) B [3,4) E [4,∞)',
    );
  });

  test('ignore: a key that only late rows name is not named', () => {
    expect(timelineOf(delta({ late: 'ignore' }), [batch(3, y('A')), batch(2, x('A'))])).toBe('not named');
    expect(
      timelineOf(delta({ late: 'ignore', lateScope: 'key' }), [batch(3, y('A')), batch(2, x('A'))]),
    ).toBe('A [2,∞)');
  });

  test('ignore by key: absences before a key was first named are not late, and make nothing late', () => {
    const contract = strict({ late: 'ignore', lateScope: 'key' });
    const batches = [batch(1, y('B')), batch(4, y('B')), batch(2, x('A'), y('B')), batch(3, x('C'), y('B'))];
    expect(timelines(contract, batches)).toEqual(['not named', 'not named', 'A [2,4)', 'A [2,3) C [3,4)']);
  });

  test('reject by batch: the whole batch, and it does not move the latest', () => {
    const contract = delta({ late: 'reject' });
    const batches = [batch(1, x('A')), batch(3, y('A')), batch(2, x('B')), batch(3, x('C'))];
    expect(outcomes(contract, ...batches)).toEqual(['applied', 'applied', 'rejected', 'applied']);
    expect(timelineOf(contract, batches)).toBe('A [1,3) C [3,∞)');
  });

  test('reject by key: one late row rejects the others with it', () => {
    const contract = delta({ late: 'reject', lateScope: 'key' });
    const batches = [batch(1, x('A')), batch(3, y('A')), batch(2, x('B')), batch(2, x('C'), y('C'))];
    expect(outcomes(contract, ...batches)).toEqual(['applied', 'applied', 'applied', 'rejected']);
    expect(timelineOf(contract, batches)).toBe('A [1,2) B [2,∞)');
  });

  test('reject by batch: an empty batch is late by its asOf', () => {
    expect(outcomes(delta({ late: 'reject' }), batch(3, x('A')), batch(2))).toEqual(['applied', 'rejected']);
    expect(outcomes(delta({ late: 'reject', lateScope: 'key' }), batch(3, x('A')), batch(2))).toEqual([
      'applied',
      'applied',
    ]);
    expect(outcomes(changes({ late: 'reject' }), batch(3, x('A')), batch(2))).toEqual(['applied', 'applied']);
  });

  test('reject: an absence is late like a row', () => {
    const contract = strict({ late: 'reject', lateScope: 'key' });
    expect(outcomes(contract, batch(3, x('A')), batch(2, y('A')))).toEqual(['applied', 'rejected']);
  });

  test('ignore: what the dimension no longer shows as latest is forgiven', () => {
    const contract = delta({ late: 'ignore', lateEvidence: 'dimension' });
    expect(timelines(contract, [batch(1, x('A')), batch(3, x('A')), batch(2, x('B'))])).toEqual([
      'A [1,∞)',
      'A [1,∞)',
      'A [1,∞) (forgiven)',
    ]);
    const batches = [batch(1, x('A')), batch(3, x('A')), batch(2, y('A'))];
    expect(timelineOf(contract, batches, 'y')).toBe('no version (forgiven)');
  });

  test('reject: where only the log can reject a batch, all keys are forgiven', () => {
    const contract = delta({ late: 'reject', lateEvidence: 'dimension' });
    const batches = [batch(1, x('A'), y('A')), batch(3, x('A')), batch(2, x('B'))];
    expect(timelines(contract, batches).at(-1)).toBe('A [1,∞) (forgiven)');
    expect(timelineOf(contract, batches, 'y')).toBe('A [1,∞) (forgiven)');
    expect(outcomes(contract, ...batches)).toEqual(['applied', 'applied', 'rejected']);
  });
});

describe('sameInstant', () => {
  const batches = [batch(1, x('A')), batch(1, x('B')), batch(2, x('C'))];

  test('last', () => expect(timelineOf(strict({ sameInstant: 'last' }), batches)).toBe('B [1,2) C [2,∞)'));
  test('first', () => expect(timelineOf(strict({ sameInstant: 'first' }), batches)).toBe('A [1,2) C [2,∞)'));

  test('any: ambiguous from then on', () => {
    expect(timelines(strict({ sameInstant: 'any' }), batches)).toEqual([
      'A [1,∞)',
      'B [1,∞) (ambiguous)',
      'B [1,2) C [2,∞) (ambiguous)',
    ]);
  });

  test('any: the same state again is no conflict', () => {
    expect(timelineOf(strict({ sameInstant: 'any' }), [batch(1, x('A')), batch(1, x('A'))])).toBe('A [1,∞)');
  });

  test('reject', () => {
    const contract = strict({ sameInstant: 'reject' });
    expect(outcomes(contract, ...batches)).toEqual(['applied', 'rejected', 'applied']);
    expect(timelineOf(contract, batches)).toBe('A [1,2) C [2,∞)');
    expect(outcomes(contract, batch(1, x('A')), batch(1, x('A')))).toEqual(['applied', 'applied']);
  });

  test('absent is a state', () => {
    const gone = [batch(1, x('A'), y('A')), batch(1, y('A'))];
    expect(timelineOf(strict({ sameInstant: 'last' }), gone)).toBe('no version');
    expect(timelineOf(strict({ sameInstant: 'first' }), gone)).toBe('A [1,∞)');
    expect(timelineOf(strict({ sameInstant: 'any' }), gone)).toBe('no version (ambiguous)');
    expect(outcomes(strict({ sameInstant: 'reject' }), ...gone)).toEqual(['applied', 'rejected']);
  });

  test('so it is for a key that only the second snapshot names', () => {
    const come = [batch(1, y('A')), batch(1, x('A'), y('A'))];
    expect(timelineOf(strict({ sameInstant: 'last' }), come)).toBe('A [1,∞)');
    expect(timelineOf(strict({ sameInstant: 'first' }), come)).toBe('no version');
    expect(timelineOf(strict({ sameInstant: 'any' }), come)).toBe('A [1,∞) (ambiguous)');
    expect(outcomes(strict({ sameInstant: 'reject' }), ...come)).toEqual(['applied', 'rejected']);
  });

  test('a conflict inside a batch is settled before the one between batches', () => {
    const contract = strict({ sameInstant: 'reject', duplicates: 'last' });
    const settled = [batch(1, x('B')), batch(1, x('A'), x('B'))];
    expect(outcomes(contract, ...settled)).toEqual(['applied', 'applied']);
  });
});

describe('duplicates', () => {
  const sequence = column('n', 'integer');
  const both = [batch(1, x('A'), x('B'))];

  test('last and first by position', () => {
    expect(timelineOf(strict({ duplicates: 'last' }), both)).toBe('B [1,∞)');
    expect(timelineOf(strict({ duplicates: 'first' }), both)).toBe('A [1,∞)');
  });

  test('last and first by sequence, NULL lowest, then by position', () => {
    const rows = [batch(1, x('A', { n: 10 }), x('B', { n: 9 }), x('C'), x('D'), x('E', { n: 10 }))];
    expect(timelineOf(strict({ duplicates: 'last' }, { sequence }), rows)).toBe('E [1,∞)');
    expect(timelineOf(strict({ duplicates: 'first' }, { sequence }), rows)).toBe('C [1,∞)');
  });

  test('equal: rows that repeat count once', () => {
    expect(timelineOf(strict({ duplicates: 'equal' }), [batch(1, x('A'), x('A'))])).toBe('A [1,∞)');
  });

  test('any: ambiguous where the states differ, and from then on', () => {
    const contract = strict({ duplicates: 'any' });
    expect(timelines(contract, [...both, batch(2, x('C'))])).toEqual([
      'B [1,∞) (ambiguous)',
      'B [1,2) C [2,∞) (ambiguous)',
    ]);
    expect(timelineOf(contract, [batch(1, x('A'), x('A'))])).toBe('A [1,∞)');
  });

  test('any: a delete differs from a state', () => {
    expect(timelineOf(delta({ duplicates: 'any' }), [batch(1, x('A'), x('A', deleted))])).toBe(
      'no version (ambiguous)',
    );
  });

  test('reject', () => {
    const contract = strict({ duplicates: 'reject' });
    expect(outcomes(contract, ...both, batch(2, x('A'), x('A')), batch(3, x('C'), y('C')))).toEqual([
      'rejected',
      'rejected',
      'applied',
    ]);
    expect(timelineOf(contract, [...both, batch(3, x('C'))])).toBe('C [3,∞)');
  });

  test('rows of one key at two instants are no duplicates', () => {
    expect(outcomes(changes({ duplicates: 'reject' }), batch(9, x('A', at(1)), x('B', at(2))))).toEqual([
      'applied',
    ]);
  });
});

describe('batchStates', () => {
  const batches = [batch(9, x('B', at(2)), x('A', at(1)), y('A', at(1))), batch(10, x('A', at(3)))];

  test('all', () =>
    expect(timelineOf(changes({ batchStates: 'all' }), batches)).toBe('A [1,2) B [2,3) A [3,∞)'));
  test('latest', () =>
    expect(timelineOf(changes({ batchStates: 'latest' }), batches)).toBe('B [2,3) A [3,∞)'));

  test('one: ambiguous for keys of which a batch held several', () => {
    const contract = changes({ batchStates: 'one' });
    expect(timelines(contract, batches)).toEqual(['B [2,∞) (ambiguous)', 'B [2,3) A [3,∞) (ambiguous)']);
    expect(timelineOf(contract, batches, 'y')).toBe('A [1,∞)');
  });

  test('late rows are dropped first', () => {
    const contract = changes({ batchStates: 'one', late: 'ignore' });
    expect(timelineOf(contract, [batch(9, x('A', at(3))), batch(10, x('B', at(2)), x('C', at(4)))])).toBe(
      'A [3,4) C [4,∞)',
    );
  });
});

describe('nullKey', () => {
  const batches = [batch(1, { k: null, a: 'A' }, x('A'))];

  test('reject: the whole batch', () => {
    expect(outcomes(strict({ nullKey: 'reject' }), ...batches)).toEqual(['rejected']);
  });

  test('skip: only those rows', () => {
    const contract = strict({ nullKey: 'skip' });
    expect(outcomes(contract, ...batches)).toEqual(['applied']);
    expect(timelineOf(contract, batches)).toBe('A [1,∞)');
    expect(timelineOf(contract, batches, null)).toBe('not named');
  });

  test('skip: a snapshot of nothing else is not an empty one', () => {
    const contract = strict({ nullKey: 'skip', emptySnapshot: 'reject' });
    const only = [batch(1, x('A')), batch(2, { k: null, a: 'A' })];
    expect(outcomes(contract, ...only)).toEqual(['applied', 'applied']);
    expect(timelineOf(contract, only)).toBe('A [1,2)');
  });

  test('value: NULL is a key, and equal to itself', () => {
    const contract = strict({ nullKey: 'value' });
    expect(timelineOf(contract, [...batches, batch(2, { k: null, a: 'B' })], null)).toBe('A [1,2) B [2,∞)');
  });
});

describe('emptySnapshot', () => {
  const batches = [batch(1, x('A')), batch(2), batch(3, x('A'))];

  test('close-all', () => expect(timelineOf(strict(), batches)).toBe('A [1,2) A [3,∞)'));

  test('reject', () => {
    const contract = strict({ emptySnapshot: 'reject' });
    expect(outcomes(contract, ...batches)).toEqual(['applied', 'rejected', 'applied']);
    expect(timelineOf(contract, batches)).toBe('A [1,∞)');
  });

  test('ignore: applied, and as if it had not come', () => {
    const contract = strict({ emptySnapshot: 'ignore', late: 'reject' });
    const early = [batch(1, x('A')), batch(5), batch(3, x('B'))];
    expect(outcomes(contract, ...early)).toEqual(['applied', 'applied', 'applied']);
    expect(timelineOf(contract, early)).toBe('A [1,3) B [3,∞)');
  });

  test('an empty delta is just empty', () => {
    const contract = delta({ emptySnapshot: 'reject' });
    expect(outcomes(contract, ...batches)).toEqual(['applied', 'applied', 'applied']);
    expect(timelineOf(contract, batches)).toBe('A [1,∞)');
  });
});

describe('partition', () => {
  const north = { p: 'north' };
  const south = { p: null };
  const contract = strict({}, { partition: column('p') });

  test('a key is absent only where its partition came', () => {
    const batches = [
      batch(1, x('A', north), y('A', south)),
      batch(2, y('A', south)),
      batch(3, { k: 'z', a: 'Z', ...north }),
    ];
    expect(timelines(contract, batches, 'x')).toEqual(['A [1,∞)', 'A [1,∞)', 'A [1,3)']);
    expect(timelineOf(contract, batches, 'y')).toBe('A [1,∞)');
  });

  test('NULL is a partition', () => {
    expect(timelineOf(contract, [batch(1, x('A', south)), batch(2, y('A', south))])).toBe('A [1,2)');
  });

  test('so it is for snapshots before the key was named', () => {
    const late = (p: typeof north | typeof south) => [batch(4, y('A', p)), batch(3, x('A', north))];
    expect(timelineOf(contract, late(south))).toBe('A [3,∞)');
    expect(timelineOf(contract, late(north))).toBe('A [3,4)');
  });
});

describe('stamp: row-time', () => {
  test('a version starts at the instant in the row; absence counts at asOf', () => {
    expect(timelines(rowTime(), [batch(10, x('A', at(5))), batch(20, x('B', at(15))), batch(30)])).toEqual([
      'A [5,∞)',
      'A [5,15) B [15,∞)',
      'A [5,15) B [15,30)',
    ]);
  });

  test('a row time before the last close starts at that close', () => {
    const back = [batch(10, x('A', at(5))), batch(20), batch(30, x('A', at(5)))];
    expect(timelineOf(rowTime(), back)).toBe('A [5,20) A [20,∞)');
    expect(timelineOf(rowTime(), [...back, batch(40, x('A', at(5)))])).toBe('A [5,20) A [20,∞)');
    expect(timelineOf(rowTime(), [...back, batch(40, x('B', at(35)))])).toBe('A [5,20) A [20,35) B [35,∞)');
  });

  test('so does one at the close', () => {
    expect(timelineOf(rowTime(), [batch(10, x('A', at(5))), batch(20), batch(30, x('A', at(20)))])).toBe(
      'A [5,20) A [20,∞)',
    );
  });

  test('a row time after the last close leaves a gap', () => {
    expect(timelineOf(rowTime(), [batch(10, x('A', at(5))), batch(20), batch(30, x('A', at(25)))])).toBe(
      'A [5,20) A [25,∞)',
    );
  });

  test('after two absences it is the first, at which the key went', () => {
    const back = [batch(10, x('A', at(5))), batch(20), batch(25), batch(30, x('A', at(5)))];
    expect(timelineOf(rowTime(), back)).toBe('A [5,20) A [20,∞)');
    expect(timelineOf(rowTime({ deletes: 'marker-row' }), back)).toBe('A [5,20) A [20,∞)');
  });

  test('a change while the key was away starts at its own time, and is not closed by an absence that was known', () => {
    const back = [batch(10, x('A', at(5))), batch(20), batch(25), batch(30, x('B', at(22)))];
    expect(timelineOf(rowTime(), back)).toBe('A [5,20) B [22,∞)');
  });

  test('reopening at the close leaves no room for a marker row', () => {
    const back = [batch(10, x('A', at(5))), batch(20), batch(30, x('A', at(5)))];
    expect(timelines(rowTime({ deletes: 'marker-row' }), back).slice(1)).toEqual([
      'A [5,20) †A [20,∞)',
      'A [5,20) A [20,∞)',
    ]);
  });

  test('reopening is not in conflict with the absence', () => {
    const back = [batch(10, x('A', at(5))), batch(20), batch(30, x('A', at(5)))];
    expect(timelineOf(rowTime({ sameInstant: 'any' }), back)).toBe('A [5,20) A [20,∞)');
    expect(timelineOf(rowTime({ sameInstant: 'first' }), back)).toBe('A [5,20) A [20,∞)');
    expect(outcomes(rowTime({ sameInstant: 'reject' }), ...back)).toEqual(['applied', 'applied', 'applied']);
  });

  test('among several that reopen, sameInstant decides', () => {
    const twice = [batch(10, x('A', at(5))), batch(20), batch(30, x('A', at(5))), batch(40, x('B', at(6)))];
    expect(timelineOf(rowTime({ sameInstant: 'last' }), twice)).toBe('A [5,20) B [20,∞)');
    expect(timelineOf(rowTime({ sameInstant: 'first' }), twice)).toBe('A [5,20) A [20,∞)');
    expect(timelineOf(rowTime({ sameInstant: 'any' }), twice)).toBe('A [5,20) B [20,∞) (ambiguous)');
    expect(outcomes(rowTime({ sameInstant: 'reject' }), ...twice)).toEqual([
      'applied',
      'applied',
      'applied',
      'rejected',
    ]);
  });

  test('a snapshot that lacks the key again, at the instant of the close, closes it again', () => {
    const again = [batch(10, x('A', at(5))), batch(20), batch(20, x('A', at(5))), batch(20)];
    expect(timelines(rowTime({ sameInstant: 'last' }), again)).toEqual([
      'A [5,∞)',
      'A [5,20)',
      'A [5,20) A [20,∞)',
      'A [5,20)',
    ]);
  });

  test('only keys that were named before are absent', () => {
    expect(timelineOf(rowTime(), [batch(10, y('A', at(5))), batch(20, x('A', at(8)), y('A', at(5)))])).toBe(
      'A [8,∞)',
    );
  });

  test('nothing reopens where deletes are ignored', () => {
    const back = [batch(10, x('A', at(5))), batch(20), batch(30, x('A', at(5)))];
    expect(timelineOf(rowTime({ deletes: 'ignore' }), back)).toBe('A [5,∞)');
  });

  test('a row that is dropped as late still shows that its key is there', () => {
    const contract = rowTime({ late: 'ignore', lateScope: 'key' });
    expect(timelineOf(contract, [batch(10, x('A', at(5))), batch(20, x('B', at(4)))])).toBe('A [5,∞)');
  });

  test('a delta with row times takes them as they are', () => {
    const contract = delta({ stamp: 'row-time' }, { changedAt: column('at', 'timestamp') });
    const batches = [batch(10, x('A', at(5))), batch(20, x('A', deleted)), batch(30, x('B', at(7)))];
    expect(timelineOf(contract, batches)).toBe('A [5,7) B [7,20)');
  });

  test('the dimension shows that a version reopened', () => {
    const contract = rowTime({ lateEvidence: 'dimension' });
    const back = [batch(10, x('A', at(5))), batch(20), batch(30, x('A', at(5))), batch(40, x('A', at(5)))];
    expect(timelineOf(contract, back)).toBe('A [5,20) A [20,∞)');
  });

  test('changeBy row-time: a newer row time alone makes a version', () => {
    const contract = rowTime({ changeBy: 'row-time' });
    const batches = [batch(10, x('A', at(5))), batch(20, x('A', at(5))), batch(30, x('A', at(25)))];
    expect(timelines(contract, batches)).toEqual(['A [5,∞)', 'A [5,∞)', 'A [5,25) A [25,∞)']);
    expect(timelineOf(rowTime(), batches)).toBe('A [5,∞)');
  });
});

describe('compare', () => {
  test('sql: any other spelling is a change', () => {
    expect(timelineOf(strict(), [batch(1, x('a')), batch(2, x('A')), batch(3, x('A '))])).toBe(
      'a [1,2) A [2,3) A  [3,∞)',
    );
  });

  test('foldings: no change, and the version keeps the spelling that opened it', () => {
    const contract = strict({ compare: ['case-insensitive', 'trim', 'empty-is-null'] });
    expect(
      timelineOf(contract, [batch(2, x('a')), batch(3, x(' A')), batch(4, x(null)), batch(5, x(' '))]),
    ).toBe('a [2,4)  [4,∞)');
  });

  test('foldings: a late row that opens the version gives its spelling', () => {
    const contract = strict({ compare: ['case-insensitive'] });
    expect(timelineOf(contract, [batch(2, x('a')), batch(1, x('A'))])).toBe('A [1,∞)');
  });
});

describe('keyCompare', () => {
  const batches = [batch(1, { k: 'x', a: 'A' }), batch(2, { k: 'X', a: 'B' })];

  test('sql: another spelling is another key', () => {
    expect(timelineOf(strict(), batches, 'x')).toBe('A [1,2)');
    expect(timelineOf(strict(), batches, 'X')).toBe('B [2,∞)');
  });

  test('foldings: one key; each version in the spelling of the row that opened it', () => {
    const [key, ...others] = expected(strict({ keyCompare: ['case-insensitive'] }), ...batches).at(-1)!.keys;
    expect(others).toEqual([]);
    expect(key!.versions.map((version) => [version.key[0], version.tracked[0], version.validFrom])).toEqual([
      ['x', 'A', 1n],
      ['X', 'B', 2n],
    ]);
  });

  test('empty-is-null makes a NULL key of an empty one', () => {
    const contract = strict({ keyCompare: ['empty-is-null'], nullKey: 'reject' });
    expect(outcomes(contract, batch(1, { k: '', a: 'A' }))).toEqual(['rejected']);
  });
});

describe('untracked', () => {
  const inOrder = [
    batch(1, x('A', { u: 'p' })),
    batch(2, x('A', { u: 'q' })),
    batch(3, x('B', { u: 'r' })),
    batch(4, x('B', { u: 's' })),
  ];
  const lateQ = [batch(1, x('A', { u: 'p' })), batch(3, x('A', { u: 'r' })), batch(2, x('A', { u: 'q' }))];
  const closed = [...lateQ, batch(4, x('B', { u: 's' }))];

  test('a change of it makes no version', () => {
    expect(timelineOf(strict(), inOrder)).toBe('A [1,3) B [3,∞)');
  });

  test('any: whatever was delivered while the version held', () => {
    expect(untrackedOf(strict({ untracked: 'any' }), ...inOrder)).toEqual([
      ['p', 'q'],
      ['r', 's'],
    ]);
    expect(untrackedOf(strict({ untracked: 'any' }), ...closed)).toEqual([['p', 'q', 'r'], ['s']]);
  });

  test('current: the latest while the version held', () => {
    expect(untrackedOf(strict({ untracked: 'current' }), ...inOrder)).toEqual([['q'], ['s']]);
  });

  test('current, late data: the latest by instant or by arrival; closed versions are not judged', () => {
    expect(untrackedOf(strict({ untracked: 'current' }), ...lateQ)).toEqual([['q', 'r']]);
    expect(untrackedOf(strict({ untracked: 'current' }), ...closed)).toEqual([null, ['s']]);
  });

  test('frozen: the earliest while the version held', () => {
    expect(untrackedOf(strict({ untracked: 'frozen' }), ...inOrder)).toEqual([['p'], ['r']]);
  });

  test('frozen, late data: the earliest by instant or by arrival; closed versions are not judged', () => {
    const late = [batch(2, x('A', { u: 'q' })), batch(1, x('A', { u: 'p' }))];
    expect(untrackedOf(strict({ untracked: 'frozen' }), ...late)).toEqual([['p', 'q']]);
    expect(untrackedOf(strict({ untracked: 'frozen' }), ...late, batch(3, x('B', { u: 'r' })))).toEqual([
      null,
      ['r'],
    ]);
  });

  test('all: the latest of the key, on every row', () => {
    expect(untrackedOf(strict({ untracked: 'all' }), ...inOrder)).toEqual([['s'], ['s']]);
    expect(untrackedOf(strict({ untracked: 'all' }), ...lateQ, batch(3, x('A', { u: 'r' })))).toEqual([
      ['r'],
    ]);
    const late = [...inOrder, batch(1, x('A', { u: 'z' }))];
    expect(untrackedOf(strict({ untracked: 'all', sameInstant: 'last' }), ...late)).toEqual([
      ['s', 'z'],
      ['s', 'z'],
    ]);
  });

  test('a delete delivers nothing', () => {
    const contract = delta({ untracked: 'all' });
    expect(
      untrackedOf(contract, batch(1, x('A', { u: 'p' })), batch(2, x('A', { u: 'z', ...deleted }))),
    ).toEqual([['p']]);
  });

  test('only deliveries of the version’s own state, and while it held, are right on it', () => {
    const again = [batch(1, x('A', { u: 'p' })), batch(2, x('B', { u: 'q' })), batch(3, x('A', { u: 'r' }))];
    expect(untrackedOf(strict(), ...again)).toEqual([['p'], ['q'], ['r']]);
  });

  test('a loser between batches was delivered all the same', () => {
    const twice = [batch(1, x('A', { u: 'p' })), batch(1, x('A', { u: 'q' }))];
    expect(untrackedOf(strict({ sameInstant: 'last' }), ...twice)).toEqual([['p', 'q']]);
    expect(untrackedOf(strict({ sameInstant: 'last', untracked: 'current' }), ...twice)).toEqual([
      ['p', 'q'],
    ]);
  });

  test('a loser inside a batch was not', () => {
    const both = batch(1, x('A', { u: 'p' }), x('A', { u: 'q' }));
    expect(untrackedOf(strict({ duplicates: 'last' }), both)).toEqual([['q']]);
  });

  test('dropped late data was not', () => {
    expect(untrackedOf(strict({ late: 'ignore' }), ...lateQ)).toEqual([['p', 'r']]);
  });

  test('a marker row is judged only under all', () => {
    const gone = [batch(1, x('A', { u: 'p' })), batch(2), batch(3, x('A', { u: 'q' }))];
    expect(untrackedOf(strict({ deletes: 'marker-row' }), ...gone)).toEqual([['p'], null, ['q']]);
    expect(untrackedOf(strict({ deletes: 'marker-row', untracked: 'all' }), ...gone)).toEqual([
      ['q'],
      ['q'],
      ['q'],
    ]);
  });

  test('a first start or a bridge reaches back without taking deliveries along', () => {
    const contract = strict({ reappearance: 'bridge', firstStart: '1970-01-01' });
    const gone = [batch(1, x('A', { u: 'p' })), batch(2), batch(3, x('A', { u: 'q' }))];
    expect(timelineOf(contract, gone)).toBe('A [0,2) A [2,∞)');
    expect(untrackedOf(contract, ...gone)).toEqual([['p'], ['q']]);
  });

  test('absences before a key was first named do not put it out of order', () => {
    const contract = strict({ untracked: 'current' });
    const batches = [
      batch(5, y('A')),
      batch(2, x('A', { u: 'p' }), y('A')),
      batch(3, x('B', { u: 'q' }), y('A')),
    ];
    expect(timelineOf(contract, batches)).toBe('A [2,3) B [3,5)');
    expect(untrackedOf(contract, ...batches)).toEqual([['p'], ['q']]);
  });

  test('spellings that count as equal are one, and folded', () => {
    const contract = strict({ compare: ['case-insensitive', 'trim'] });
    expect(untrackedOf(contract, batch(1, x('A', { u: 'P' })), batch(2, x('A', { u: ' p' })))).toEqual([
      ['p'],
    ]);
  });

  test('forgiven and ambiguous keys, and tables without untracked columns, are not judged', () => {
    const lost = strict({ lateEvidence: 'dimension' });
    expect(untrackedOf(lost, batch(1, x('A')), batch(3, x('A')), batch(2, x('B')))).toEqual([
      null,
      null,
      null,
    ]);
    expect(untrackedOf(strict({ sameInstant: 'any' }), batch(1, x('A')), batch(1, x('B')))).toEqual([null]);
    expect(untrackedOf(strict({}, { untracked: [] }), batch(1, x('A')))).toEqual([null]);
  });

  test('what the expected row shows is one of those that are right', () => {
    for (const untracked of ['any', 'current', 'all', 'frozen'] as const) {
      for (const version of expected(strict({ untracked }), ...inOrder).at(-1)!.keys[0]!.versions) {
        expect(version.untrackedRight).toContainEqual(version.untracked);
      }
    }
  });
});
