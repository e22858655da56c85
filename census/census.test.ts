import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFeedFile } from '../src/feed/feed-file.ts';
import { agrees } from './by-hand.ts';
import { differences } from './differences.ts';
import { ENTRIES } from './entries.ts';
import type { Row } from './entry.ts';
import { type Measured, readMeasured } from './measured.ts';
import { censusPage } from './page.ts';

const rows = ENTRIES.flatMap((entry) => entry.rows.map((row) => [row.id, entry, row] as const));
const folderOf = (id: string) => join(import.meta.dirname, id);

describe('an entry of the census', () => {
  test('has ids that no other has, in a folder of its name', () => {
    const ids = rows.map(([id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id } of ENTRIES) expect(existsSync(join(folderOf(id), 'entry.ts'))).toBe(true);
  });

  test.each(rows)('%s was measured, and is as it says', (id, entry, row) => {
    const measured = readMeasured(folderOf(entry.id))[id];
    expect(measured).toBeDefined();
    expect(differences(row, measured!)).toEqual([]);
  });

  test.each(rows)('%s has the smallest feed of each red, and what that shows', async (id, entry, row) => {
    const measured = readMeasured(folderOf(entry.id))[id];
    for (const red of row.expected.reds.filter(({ onlyWhole }) => onlyWhole !== true)) {
      const { batches } = await readFeedFile(join(folderOf(entry.id), 'feeds', `${red.id}.json`));
      expect(batches.length).toBeGreaterThan(0);
      expect(measured?.reds[red.id]?.message).toEqual(expect.any(String));
    }
  });

  test.each(rows)('%s names a source for each claim', (_, __, row) => {
    for (const { says, where } of row.claims) {
      expect(says).not.toBe('');
      expect(where).not.toBe('');
    }
  });

  test('is on the page, each red with its reason', () => {
    const page = censusPage();
    for (const [id, , row] of rows) {
      expect(page).toContain(`\n### ${id}\n`);
      for (const red of row.expected.reds) expect(page).toContain(`**${red.title}.** ${red.why}`);
    }
  });
});

const ROW: Row = {
  id: 'made-up',
  title: '',
  version: '1',
  setting: { kind: 'duckdb' },
  adapter: 'adapter.sql',
  claims: [{ field: 'feed', option: 'delta', says: 'A delta.', where: 'README' }],
  expected: {
    exitCode: 1,
    reds: [{ id: 'a', title: 'A', why: 'B', findings: ['no-change: content'], also: ['*: no-overlap'] }],
  },
};
const RUN: Omit<Measured, 'reds'> = {
  exitCode: 1,
  verdict: 'fail',
  contract: { feed: 'delta', deletes: 'close' },
  problems: [],
  cases: { passed: 1, failed: 1, skipped: 0 },
  checks: { held: 1, failed: ['content'], skipped: 0 },
  findings: ['late-arrival: no-overlap', 'no-change: content'],
  histories: 0,
  forgiven: 0,
  loads: 2,
  totalMs: 1,
  implementationMs: 1,
};

describe('a run differs from its entry', () => {
  test.each<[string, Partial<Measured>, string]>([
    [
      'where a finding is in none of its reds',
      { findings: [...RUN.findings, 'reopen-a-b-a: version-count'] },
      'Nothing accounts for the finding `reopen-a-b-a: version-count`.',
    ],
    [
      'where a finding that it names is gone',
      { findings: ['late-arrival: no-overlap'] },
      'The finding `no-change: content` is not there any more.',
    ],
    [
      'where the contract is another',
      { contract: { feed: 'snapshot' } },
      'The entry claims `feed: delta`, and the adapter declares `snapshot`.',
    ],
    [
      'where the contract says more than it has sources for',
      { contract: { feed: 'delta', late: 'never' } },
      'The adapter declares `late: never`, and the entry names no source for it.',
    ],
    [
      'where the exit code is another, with what went wrong',
      { exitCode: 3, problems: ['It crashed.'] },
      'The exit code is 3 and not 1: It crashed.',
    ],
  ])('%s', (_, run, sentence) => {
    expect(differences(ROW, { ...RUN, ...run })).toEqual([sentence]);
  });

  test('and in nothing else', () => {
    expect(differences(ROW, RUN)).toEqual([]);
  });
});

describe('what a package shows by hand', () => {
  const version = (segment: string, validFrom: string, validTo: string | null) => ({
    values: { customer_segment: segment },
    validFrom,
    validTo,
    isCurrent: null,
    isDeleted: false,
    differs: [],
  });
  const actual = [
    version('A', '2026-03-01T06:00:00.000000Z', '2026-03-02T00:00:00.000000Z'),
    version('B', '2026-03-02T00:00:00.000000Z', null),
  ];

  test('agrees in any order, and with zeros cut off', () => {
    const shown = [
      ['B', '2026-03-02', null],
      ['A', '2026-03-01 06:00', '2026-03-02T00:00:00'],
    ] as const;
    expect(agrees(actual, shown, 'customer_segment')).toBe(true);
  });

  test.each([
    ['another value', ['C', '2026-03-02', null]],
    ['another start', ['B', '2026-03-03', null]],
    ['an end that is open here and not there', ['B', '2026-03-02', '2026-03-04']],
  ] as const)('does not with %s', (_, second) => {
    const shown = [['A', '2026-03-01T06:00', '2026-03-02'], second] as const;
    expect(agrees(actual, shown, 'customer_segment')).toBe(false);
  });

  test('does not with a version more, or less', () => {
    expect(agrees(actual, [['A', '2026-03-01T06:00', '2026-03-02']], 'customer_segment')).toBe(false);
    expect(
      agrees(
        actual.slice(0, 1),
        [
          ['A', '2026-03-01T06:00', '2026-03-02'],
          ['A', '2026-03-01', null],
        ],
        'customer_segment',
      ),
    ).toBe(false);
  });
});
