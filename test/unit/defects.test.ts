import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Entry, readEntries } from '../defects/entry.ts';
import { examine, type Outcome } from '../defects/examine.ts';
import { type Expression, express } from '../defects/express.ts';
import { printLine, printSummary } from '../defects/print.ts';

const entries = await readEntries(join(import.meta.dirname, '../defects/reported.jsonl'));
const byId = (id: string): Entry => entries.find((entry) => entry.id === id)!;

describe('the reported defects', () => {
  let outcomes: readonly Outcome[];
  beforeAll(async () => {
    outcomes = await examine(entries);
  });

  it('are what both oracles and all checks say, right and wrong', () => {
    const failing = outcomes.filter(({ status }) => status === 'fails');
    expect(failing.map(printLine).join('')).toBe('');
  });

  it('are expressed, but for one whose two dimensions hold the same rows', () => {
    const unexpressed = outcomes.filter(({ status }) => status === 'unexpressed');
    expect(unexpressed.map(({ entry }) => entry.id)).toEqual(['STR-03']);
    expect(printSummary(outcomes)).toContain('75 reported defects, 74 of them expressed.');
  });

  it('have whole contracts: nothing is taken from the right dimension', () => {
    const supposed = entries.map(express).filter((one) => 'supposed' in one && one.supposed.length > 0);
    expect(supposed.map(({ entry }) => entry.id)).toEqual([]);
  });
});

describe('an entry whose contract is not whole', () => {
  const FOLLOWING = ['stamp', 'duplicates', 'nullKey', 'firstStart'];
  const bare = ({ contract, ...entry }: Entry): Entry => ({
    ...entry,
    contract: Object.fromEntries(Object.entries(contract).filter(([field]) => !FOLLOWING.includes(field))),
  });
  const contractOf = (entry: Entry) => (express(entry) as Partial<Expression>).contract;

  it.each(entries.map((entry) => [entry.id, entry] as const))('%s: follows from its rows', (_, entry) => {
    expect(contractOf(bare(entry))).toEqual(contractOf(entry));
  });

  it.each([
    ['emptySnapshot: ignore', 'DEL-01', { expected: [row('x', 1, 3), row('y', 3)] }],
    ['late: ignore', 'LAT-01', { expected: [row('new', 5)] }],
    ['reappearance: bridge', 'DEL-01', { expected: [row('x', 1, 2), row('y', 2)] }],
  ])('takes %s from the right dimension, and says so', (decision, id, change) => {
    expect(express({ ...byId(id), ...change })).toMatchObject({ disagreement: null, supposed: [decision] });
  });
});

describe('an entry that does not hold', () => {
  it('says who disagrees with the right dimension, or that nothing notices the wrong one', async () => {
    const [disagrees, harmless, told] = await examine([
      { ...byId('NUL-01'), expected: [row('q', 1)] },
      { ...byId('NUL-01'), wrong: [row('x', 2, null, { loaded: 'yes' }), row(null, 1, 2)] },
      { ...byId('NUL-01'), wrong: { summary: 'nothing is recorded' } },
    ]);
    expect(printLine(disagrees!)).toMatch(/DISAGREES.*the TypeScript oracle disagrees: expected\n *1 "q"/s);
    expect(harmless!.status).toBe('fails');
    expect(printLine(harmless!)).toContain('agrees     NOT CAUGHT');
    expect(told).toMatchObject({
      status: 'unexpressed',
      reason: 'what went wrong is told in a sentence, and not as a dimension.',
    });
  });
});

function row(a: string | null, from: number, to: number | null = null, more: object = {}) {
  const day = (number: number) => `2024-01-0${number}T00:00:00Z`;
  return { k: 1, a, from: day(from), to: to === null ? null : day(to), ...more };
}
