import { describe, expect, test } from 'vitest';
import { compareInstants, instantFormat } from './instants.ts';

const MINUTE = '2026-03-01T06:30:00.000000Z';
const MIDNIGHT = '2026-03-02T00:00:00.000000Z';

describe('instants are shown in the shortest form that all of them share', () => {
  test.each([
    [[MIDNIGHT], '2026-03-02'],
    [[MIDNIGHT, MINUTE], '2026-03-02 00:00'],
    [[MIDNIGHT, '2026-03-01T06:30:07.000000Z'], '2026-03-02 00:00:00'],
    [[MIDNIGHT, '2026-03-01T06:30:07.120000Z'], '2026-03-02 00:00:00.000'],
    [[MIDNIGHT, '2026-03-01T06:30:07.000001Z'], '2026-03-02 00:00:00.000000'],
  ])('%j', (instants, shown) => {
    expect(instantFormat(instants).full(MIDNIGHT)).toBe(shown);
  });

  test('a sentinel keeps its own digits and lengthens no other', () => {
    const format = instantFormat([MINUTE, '9999-12-31T23:59:59.999999Z']);
    expect(format.full(MINUTE)).toBe('2026-03-01 06:30');
    expect(format.full('9999-12-31T23:59:59.999999Z')).toBe('9999-12-31 23:59:59.999999');
  });

  test('what is no instant is shown as it is, made harmless', () => {
    expect(instantFormat([]).full('soon\x1b')).toBe('soon\\x1b');
  });
});

test('instants are ordered in time, years of any length included', () => {
  const ordered = [
    '-000001-01-01T00:00:00.000000Z',
    '1970-01-01T00:00:00.000000Z',
    '1970-01-01T00:00:00.000001Z',
    '9999-12-31T00:00:00.000000Z',
    '294247-01-01T00:00:00.000000Z',
  ];
  expect([...ordered].reverse().sort(compareInstants)).toEqual(ordered);
});
