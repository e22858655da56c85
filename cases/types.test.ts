import { describe, expect, test } from 'vitest';
import type { Contract } from '../src/contract/contract.ts';
import { STRICT } from '../src/contract/presets.ts';
import { usualBeside } from '../src/contract/types.ts';
import { expectFeeds } from '../src/oracle/duckdb/index.ts';
import type { ExpectedStep, ExpectedVersion } from '../src/oracle/expected.ts';
import { expectFeed } from '../src/oracle/typescript/index.ts';
import { contractOfCase, feedOfCase } from './contract.ts';
import { BOUNDARY_IDS, CASES } from './index.ts';

/** What the seven boundary cases come to in each type, written by hand: the segment, `<` the previous and `>` the current one; `|` before the history. */
const RIGHT: Readonly<Record<string, Readonly<Record<'1' | '3' | '4' | '6', string>>>> = {
  'no-change': { 1: 'A', 3: 'A<NULL', 4: 'A | A', 6: 'A>A' },
  'segment-change': { 1: 'B', 3: 'B<A', 4: 'B | A B', 6: 'A>B B>B' },
  'address-only': { 1: 'A', 3: 'A<NULL', 4: 'A | A', 6: 'A>A' },
  'reopen-a-b-a': { 1: 'A', 3: 'A<B', 4: 'A | A B A', 6: 'A>A B>A A>A' },
  'twice-one-day': { 1: 'B', 3: 'B<A', 4: 'B | A B', 6: 'A>B B>B' },
  'late-arrival': { 1: 'B', 3: 'B<A', 4: 'B | A B', 6: 'A>B B>B' },
  deleted: { 1: '', 3: '', 4: ' | A', 6: 'A>A' },
};

function contractOf(id: string, type: Contract['type']): Contract {
  const { columns } = contractOfCase(CASES.find((theCase) => theCase.id === id)!);
  const inHistory = { name: 'in_history', type: 'boolean', nullable: false } as const;
  return {
    ...STRICT,
    type,
    columns: {
      ...columns,
      ...usualBeside(type, columns.tracked),
      inHistory: type === '4' ? inHistory : null,
    },
  };
}

function shown(step: ExpectedStep, type: string): string {
  const sign = type === '3' ? '<' : '>';
  const text = ({ tracked, beside }: ExpectedVersion) =>
    [tracked[0], ...beside].map((cell) => (cell === null ? 'NULL' : String(cell))).join(sign);
  const current = step.keys.flatMap((key) => key.current ?? []).map(text);
  const versions = step.keys.flatMap((key) => key.versions).map(text);
  return type === '4' ? `${current.join(' ')} | ${versions.join(' ')}` : [...current, ...versions].join(' ');
}

describe.each(['1', '3', '4', '6'] as const)('in type %s', (type) => {
  test.each(BOUNDARY_IDS)('%s is what both oracles say', async (id) => {
    const contract = contractOf(id, type);
    const feed = feedOfCase(CASES.find((theCase) => theCase.id === id)!);
    expect(shown(expectFeed(contract, feed).at(-1)!, type)).toBe(RIGHT[id]![type]);
    const [steps] = await expectFeeds(contract, [feed]);
    expect(shown(steps!.at(-1)!, type)).toBe(RIGHT[id]![type]);
  });
});
