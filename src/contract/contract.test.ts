import { describe, expect, test } from 'vitest';
import { UsageError } from '../cli/usage-error.ts';
import { OPTIONS } from './contract.ts';
import { declareContract } from './declare.ts';
import type { Declared } from './declared.ts';
import { guessRoles } from './guess.ts';
import { formatInstant, parseInstant, truncateInstant } from './instant.ts';
import { STRICT } from './presets.ts';
import { contractToJson, printContract } from './print.ts';

const line = (name: string, value: unknown): Declared => ({ name, value, where: 'load.sql:1' });
const declare = (...lines: Declared[]) => declareContract([lines]).contract;

describe('a contract', () => {
  test('is strict where nobody declares anything, with the columns of the seven cases', () => {
    const { contract, decided } = declareContract([]);
    expect(decided).toBe(false);
    const { columns, ...decisions } = contract;
    expect(decisions).toEqual(STRICT);
    expect([...columns.key, ...columns.tracked, ...columns.untracked].map(({ name }) => name)).toEqual([
      'customer_id',
      'customer_segment',
      'street',
    ]);
  });

  test('has the first option of every field in strict', () => {
    for (const [field, { options }] of Object.entries(OPTIONS))
      expect(STRICT[field as keyof typeof STRICT]).toBe(options[0]);
  });

  test('takes every option of every field', () => {
    for (const [field, { options }] of Object.entries(OPTIONS)) {
      if (field === 'type' || field === 'historyHolds' || field === 'clock' || field === 'changeBy') continue;
      for (const option of options) expect(declare(line(field, option))[field as 'late']).toBe(option);
    }
  });

  test.each([
    ['late', 'ignored', 'Did you mean `ignore`?'],
    ['deletes', 'closed', 'Did you mean `close`?'],
    ['lat', 'apply', 'Did you mean `late`?'],
    ['contract', 'daily-merg', 'Did you mean `daily-merge`?'],
    ['key', 'nk INTEGR', 'Did you mean `integer`?'],
    ['compare', 'case-insensitiv', 'Did you mean `case-insensitive`?'],
    ['type', '5', 'There are'],
  ])('refuses %s: %s, and says what to write', (name, value, words) => {
    expect(() => declare(line(name, value))).toThrow(UsageError);
    expect(() => declare(line(name, value))).toThrow(words);
    expect(() => declare(line(name, value))).toThrow('load.sql:1');
  });

  test('refuses what contradicts itself', () => {
    expect(() => declare(line('deletes', 'marker-row'), line('reappearance', 'bridge'))).toThrow(
      'contradicts',
    );
    expect(() => declare(line('changeBy', 'row-time'))).toThrow('contradicts');
    expect(() => declare(line('tracked', 'none'))).toThrow('contradicts');
  });

  test('lets a stronger layer win, field by field, and a preset begin anew', () => {
    const head = [line('contract', 'daily-merge'), line('key', 'nk INTEGER')];
    const flags = [line('deletes', 'ignore')];
    const { contract } = declareContract([head, [], flags]);
    expect([contract.feed, contract.grain, contract.deletes, contract.columns.key[0]?.name]).toEqual([
      'delta',
      'day',
      'ignore',
      'nk',
    ]);
    expect(declareContract([head, [line('contract', 'strict')]]).contract.feed).toBe('snapshot');
  });

  test('adds up key lines of one layer', () => {
    const { key } = declare(line('key', 'a INTEGER'), line('key', '"b c" TEXT(3) NOT NULL')).columns;
    expect(key.map(({ name, type, maxLength }) => [name, type, maxLength])).toEqual([
      ['a', 'integer', undefined],
      ['b c', 'text', 3],
    ]);
  });

  test('printed and declared again is the same', () => {
    const contract = declare(
      line('contract', 'stream'),
      line('changedAt', 'change_ts'),
      line('compare', 'trim case-insensitive'),
    );
    expect(declareContract([[line('contract', contractToJson(contract))]]).contract).toEqual(contract);
    expect(printContract(contract, STRICT)).toContain('(strict: snapshot)');
  });
});

describe('guessing columns', () => {
  test.each(['current', 'current_flag'])('a column for current values called %s is no flag', (name) => {
    const lines = [
      { name: 'type', value: '6', where: 'load.sql:1' },
      { name: 'tracked', value: 'flag', where: 'load.sql:2' },
      { name: 'current', value: `${name} of flag`, where: 'load.sql:3' },
    ];
    const { contract, declaredRoles } = declareContract([lines]);
    const guessed = guessRoles(contract, declaredRoles, ['flag', name, 'valid_from', 'valid_to']);
    expect(guessed.contract.columns.isCurrent).toBeNull();
  });

  test.each([
    ['_tech_valid_from', '_tech_valid_to', '_tech_is_current'],
    ['dbt_valid_from', 'dbt_valid_to', null],
    ['start_date', 'end_date', 'current_flag'],
    ['__START_AT', '__END_AT', null],
    ['EffectiveFrom', 'EffectiveTo', 'IsActive'],
  ])('takes %s for the start and %s for the end', (from, to, flag) => {
    const names = ['customer_id', 'customer_segment', 'street', from, to, ...(flag === null ? [] : [flag])];
    const { contract, notes } = guessRoles(declareContract([]).contract, new Set(), names);
    expect(contract.columns.validFrom.name).toBe(from);
    expect(contract.columns.validTo?.name).toBe(to);
    expect(contract.columns.isCurrent?.name ?? null).toBe(flag);
    expect(notes.length).toBeGreaterThan(0);
  });

  test('leaves alone what was declared', () => {
    const { contract } = guessRoles(declareContract([]).contract, new Set(['validFrom']), [
      'start_date',
      'valid_to',
    ]);
    expect(contract.columns.validFrom.name).toBe('valid_from');
  });
});

describe('an instant', () => {
  test.each([
    ['2026-03-01', '2026-03-01T00:00:00.000000Z'],
    ['2026-03-01T06:00', '2026-03-01T06:00:00.000000Z'],
    ['2026-03-01 06:00:00.1234567+02:00', '2026-03-01T04:00:00.123456Z'],
    ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000000Z'],
    ['1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999999Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000000Z'],
  ])('reads %s', (text, written) => {
    expect(formatInstant(parseInstant(text)!)).toBe(written);
  });

  test.each(['tomorrow', '2026-13-01', '2026-02-30', '2026-03-01T25:00', ''])('does not read %j', (text) => {
    expect(parseInstant(text)).toBeNull();
  });

  test('before the epoch is cut down, not up', () => {
    expect(truncateInstant(-1n, 86_400_000_000n)).toBe(-86_400_000_000n);
  });
});

describe('under `clock: wall`', () => {
  const wall = [line('clock', 'wall'), line('late', 'apply'), line('sameInstant', 'last')];

  test('what was declared of late loads is overruled, and the report is told', () => {
    const { contract, notes } = declareContract([wall]);
    expect(contract).toMatchObject({ late: 'never', sameInstant: 'never' });
    expect(notes).toEqual([
      expect.stringMatching(
        /declares `late: apply`, and `clock: wall` overrules it: `late: never` was tested/,
      ),
      expect.stringMatching(/declares `sameInstant: last`/),
    ]);
  });

  test('there is nothing to tell where nobody declared otherwise', () => {
    const unset = [line('clock', 'wall'), line('late', 'never')];
    expect(declareContract([unset]).notes).toEqual([]);
    expect(declareContract([wall, [line('contract', 'strict'), line('clock', 'wall')]]).notes).toEqual([]);
    expect(declareContract([[line('late', 'apply')]]).notes).toEqual([]);
  });
});
