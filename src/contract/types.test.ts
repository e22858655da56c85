import { describe, expect, test } from 'vitest';
import { UsageError } from '../cli/usage-error.ts';
import { dimensionColumns, twoTables } from './columns.ts';
import { declareContract } from './declare.ts';
import { contractToJson } from './print.ts';
import { TYPES } from './types.ts';

const line = (name: string, value: unknown) => ({ name, value, where: 'load.sql:1' });
const declare = (...lines: ReturnType<typeof line>[]) => declareContract([lines]).contract;
const names = (columns: readonly { readonly name: string }[]) => columns.map(({ name }) => name);

describe('the types of dimensions', () => {
  test.each(TYPES)('type %s, printed and declared again, is the same', (type) => {
    const contract = declare(line('type', type), line('key', 'k INTEGER'), line('tracked', 'a TEXT, b DATE'));
    expect(declareContract([[line('contract', contractToJson(contract))]]).contract).toEqual(contract);
  });

  test('have the columns that belong to them', () => {
    const own = (type: string) => names(dimensionColumns(declare(line('type', type))));
    const attributes = ['customer_id', 'customer_segment', 'street'];
    expect(own('1')).toEqual(attributes);
    expect(own('2')).toEqual([...attributes, 'valid_from', 'valid_to', 'is_current']);
    expect(own('3')).toEqual([...attributes, 'previous_customer_segment']);
    expect(own('6')).toEqual([
      ...attributes,
      'valid_from',
      'valid_to',
      'is_current',
      'current_customer_segment',
    ]);
  });

  test('of two tables have no bounds in the current one', () => {
    const { current, history } = twoTables(declare(line('type', '4'), line('deletes', 'marker-row')));
    const attributes = ['customer_id', 'customer_segment', 'street'];
    expect(names(current)).toEqual([...attributes, 'is_deleted']);
    expect(names(history)).toEqual([...attributes, 'valid_from', 'valid_to', 'is_deleted']);
  });

  test.each([
    ['previous_segment of segment', 'segment'],
    ['previous_segment', 'segment'],
    ['old_one of city', 'city'],
    ['"Old City" of city', 'city'],
  ])('take `previous %s` for that of %s', (text, of) => {
    const contract = declare(
      line('type', '3'),
      line('tracked', 'segment, city TEXT(20)'),
      line('previous', text),
    );
    expect(contract.columns.previous.map((column) => column.of)).toEqual([of]);
  });

  test('give a previous value the type of its attribute, and room for NULL', () => {
    const contract = declare(
      line('type', '3'),
      line('tracked', 'since DATE not null'),
      line('previous', 'before of since'),
    );
    expect(contract.columns.previous[0]).toMatchObject({ name: 'before', type: 'date', nullable: true });
  });

  test.each(['previous_city', 'previousCity', 'PREVIOUS-CITY'])(
    'find by its name whose value %s holds',
    (name) => {
      const contract = declare(
        line('type', '3'),
        line('tracked', 'city, land'),
        line('previous', `"${name}"`),
      );
      expect(contract.columns.previous[0]).toMatchObject({ name, of: 'city' });
    },
  );

  test.each<readonly [string, readonly ReturnType<typeof line>[], string]>([
    ['type 3 without a previous column', [line('type', '3'), line('previous', 'none')], 'type 1'],
    ['a previous column in type 2', [line('previous', 'p of customer_segment')], 'declare `type: 3`'],
    ['a current column in type 3', [line('type', '3'), line('current', 'c')], 'declare `type: 6`'],
    ['a history flag in type 1', [line('type', '1'), line('inHistory', 'h')], 'declare `type: 4`'],
    ['a start in type 1', [line('type', '1'), line('validFrom', 'since')], 'has no bounds'],
    ['a history that only type 4 has', [line('historyHolds', 'past')], 'only `type: 4`'],
    [
      'lost evidence in type 3',
      [line('type', '3'), line('lateEvidence', 'dimension')],
      '`lateEvidence: log`',
    ],
    [
      'a previous column of nothing',
      [line('type', '3'), line('previous', 'p of segmnt')],
      'there is no tracked column `segmnt`',
    ],
    [
      'a previous column that could be of two',
      [line('type', '3'), line('tracked', 'a, b'), line('previous', 'p')],
      'Write `previous p of a`',
    ],
    [
      'a past history without ends',
      [line('type', '4'), line('historyHolds', 'past'), line('validTo', 'none')],
      'declare `validTo`',
    ],
    ['type 4 without the flag', [line('type', '4'), line('inHistory', 'none')], '`inHistory`'],
    ...['1', '3'].map(
      (type) =>
        [
          `\`untracked: frozen\` in type ${type}`,
          [line('type', type), line('untracked', 'frozen')],
          'is overwritten',
        ] as const,
    ),
    [
      'a current column that is the flag',
      [line('type', '6'), line('current', 'is_current of customer_segment')],
      '`is_current` is `isCurrent`',
    ],
    [
      'a current column that is the start',
      [line('type', '6'), line('validFrom', 'since'), line('current', 'since of customer_segment')],
      '`since` is `validFrom`',
    ],
    [
      'a previous column that is the surrogate key',
      [line('type', '3'), line('surrogateKey', 'sk'), line('previous', 'sk of customer_segment')],
      '`sk` is `surrogateKey`',
    ],
    [
      'a flag of the history that is the key',
      [line('type', '4'), line('inHistory', 'customer_id')],
      '`customer_id` is `inHistory`',
    ],
    [
      'two previous columns of one attribute',
      [line('type', '3'), line('previous', 'p of customer_segment, q of customer_segment')],
      'leave `q` out',
    ],
    [
      'a previous column whose name only ends like an attribute',
      [line('type', '3'), line('tracked', 'city, land'), line('previous', 'velocity')],
      'Write `previous velocity of city`',
    ],
    [
      'an `of` that is no name',
      [line('type', '3'), line('previous', { name: 'p', of: 5 })],
      'the name of a tracked column, not 5',
    ],
    ['a type that there is not', [line('type', '5')], 'There are `1`, `2`, `3`, `4`, `6`.'],
    ['`of` in another role', [line('tracked', 'a of b')], 'only `previous` and `current`'],
  ])('refuse %s, and say what to write', (_, lines, words) => {
    expect(() => declare(...lines)).toThrow(UsageError);
    expect(() => declare(...lines)).toThrow(words);
  });
});
