import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { feedUnder, loadProjectCases } from '../../cases/project.ts';
import { sampleFinding } from '../../reporters/samples.ts';
import { declareContract } from '../contract/declare.ts';
import { parseInstant } from '../contract/instant.ts';
import type { Feed } from '../feed/feed.ts';
import { promote } from './promote.ts';
import {
  failuresFolder,
  loadFailures,
  moveFailure,
  type Origin,
  placeOf,
  readFailure,
  type StoredFailure,
  samePlace,
  storeFailures,
} from './store.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'scd2check-store-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const { contract } = declareContract([
  [
    { name: 'key', value: ['id bigint', '"group by" text'], where: 'here' },
    { name: 'tracked', value: ['rate double', 'price decimal(10,2)', 'seen timestamp'], where: 'here' },
    { name: 'deletes', value: 'ignore', where: 'here' },
  ],
]);
const ROW = {
  id: 2n ** 60n,
  'group by': 'a "b"',
  rate: Number.NaN,
  price: '1.50',
  seen: '2026-03-01T06:00:00.000001Z',
};
const FEED: Feed = {
  id: 'random/1-content',
  batches: [
    { asOf: parseInstant('2026-03-01T06:00:00Z')!, rows: [ROW, { ...ROW, id: 1n, rate: -0, price: null }] },
    {
      asOf: parseInstant('2026-03-01T06:00:00.000001Z')!,
      rows: [],
      columns: ['seen', 'rate', 'price', 'group by', 'id'],
    },
  ],
};
const ORIGIN: Origin = {
  implementation: { name: 'load.sql', kind: 'sql', path: 'sql/load.sql' },
  declared: [{ name: 'deletes', value: 'ignore' }],
  join: null,
};
const FINDING = sampleFinding({ id: 'content-1a2b3c4d', check: 'content', message: 'It is wrong.' });

function store(finding = FINDING): StoredFailure {
  storeFailures(root, contract, ORIGIN, 7, [{ finding, feed: FEED }]);
  return loadFailures(root).failures.find(({ id }) => id === finding.id)!;
}

const names = (...path: string[]) => readdirSync(join(failuresFolder(root), ...path)).sort();

describe('a stored counterexample', () => {
  test('is the same feed when it is read again, in the contract that it failed under', () => {
    const failure = store();
    expect(failure).toMatchObject({ ...ORIGIN, check: 'content', message: 'It is wrong.' });
    expect(failure.found).toEqual({ part: 'random', seed: 7 });
    const again = declareContract([failure.feed.declared]).contract;
    expect(again).toEqual(contract);
    expect(feedUnder(again, failure.feed, FEED.id)).toEqual({ feed: FEED });
  });

  test('leaves nothing beside it, and replaces an older one of its id', () => {
    store();
    store({ ...FINDING, message: 'It is still wrong.' });
    expect(names()).toEqual(['content-1a2b3c4d.json']);
    expect(loadFailures(root).failures.map(({ message }) => message)).toEqual(['It is still wrong.']);
  });

  test('is put aside when it is fixed, and comes back when it is found again', () => {
    const failure = store();
    moveFailure(root, failure, 'fixed');
    // As a second run does that had read it before.
    moveFailure(root, failure, 'fixed');
    expect(names()).toEqual(['fixed']);
    expect(loadFailures(root).failures).toEqual([]);
    const fixed = readFailure(join(failuresFolder(root), 'fixed', `${failure.id}.json`)) as StoredFailure;
    moveFailure(root, fixed, 'failures');
    expect(names()).toEqual(['content-1a2b3c4d.json', 'fixed']);
    moveFailure(root, failure, 'fixed');
    store();
    expect(names('fixed')).toEqual([]);
  });

  test.each([
    ['half of a file', '{"version": 1, "id"', 'end of JSON input'],
    ['another version', '{"version": 2}', 'its version is 2; this scd2check reads version 1.'],
    ['a feed', '{"batches": []}', 'a feed of your own runs with `--feed`'],
    ['an id that is none', '{"version": 1, "id": 3}', 'its `id` is 3, not text.'],
    [
      'no implementation',
      '{"version": 1, "id": "a", "check": "b", "message": "c"}',
      'neither a `path` nor a `command`',
    ],
    [
      'no batches',
      '{"version": 1, "id": "a", "check": "b", "message": "c", "implementation": {"path": "x"}}',
      'has no `batches`',
    ],
  ])('with %s is named and passed over', (_, text, why) => {
    store();
    writeFileSync(join(failuresFolder(root), 'damaged.json'), text);
    writeFileSync(join(failuresFolder(root), 'content-0.json.1234.part'), '{');
    const { failures, damaged } = loadFailures(root);
    expect(failures.map(({ id }) => id)).toEqual(['content-1a2b3c4d']);
    expect(damaged).toHaveLength(1);
    expect(damaged[0]).toContain('damaged.json` cannot be read and is passed over');
    expect(damaged[0]).toContain(why);
  });

  test('belongs to one path, or one command in one folder', () => {
    const path = (name: string, cwd = '.') =>
      placeOf({ path: name, program: [], cwd: join(root, cwd) }, root);
    const command = (program: string[], cwd = '.') =>
      placeOf({ path: '', program, cwd: join(root, cwd) }, root);
    expect(path('./sql/load.sql')).toEqual({ path: 'sql/load.sql' });
    expect(samePlace(path('sql/load.sql'), path('load.sql', 'sql'))).toBe(true);
    expect(samePlace(path('load.sql'), path('sql/load.sql'))).toBe(false);
    expect(samePlace(command(['python3', 'a b']), command(['python3', 'a b']))).toBe(true);
    expect(samePlace(command(['python3', 'a b']), command(['python3', 'a', 'b']))).toBe(false);
    expect(samePlace(command(['a']), command(['a'], 'sub'))).toBe(false);
  });
});

describe('a promoted counterexample', () => {
  test('is a case of the project with the same feed, and is kept only there', () => {
    const failure = store();
    promote(root, failure);
    expect(names()).toEqual([]);
    const [promoted, ...others] = loadProjectCases(root);
    expect(others).toEqual([]);
    expect(promoted).toMatchObject({ id: 'project/content-1a2b3c4d', title: 'It is wrong.' });
    expect(feedUnder(contract, promoted!.file, FEED.id)).toEqual({ feed: FEED });
    const { title, check } = JSON.parse(readFileSync(promoted!.file.path, 'utf8'));
    expect([title, check]).toEqual(['It is wrong.', 'content']);
  });

  test('does not overwrite a case that is there', () => {
    promote(root, store());
    expect(() => promote(root, store())).toThrow('is there already');
  });
});

describe('a feed under another contract', () => {
  const under = (...lines: [string, unknown][]) =>
    feedUnder(
      declareContract([lines.map(([name, value]) => ({ name, value, where: 'here' }))]).contract,
      store().feed,
      'x',
    );
  const KEY: [string, unknown] = ['key', ['id bigint', '"group by" text']];

  test('cannot be sent where a column is gone', () => {
    const outcome = under(KEY, ['tracked', ['rate double', 'seen timestamp']]);
    expect(outcome).toEqual({ skip: 'The contract names no column `price`, which its rows have.' });
  });

  test('cannot be sent where a new column must be filled', () => {
    const tracked = ['rate double', 'price decimal(10,2)', 'seen timestamp', 'more text not null'];
    const outcome = under(KEY, ['tracked', tracked]);
    expect(outcome).toEqual({ skip: 'The contract names a column `more`, which its rows do not have.' });
  });

  test('cannot be sent where a column cannot hold a value any more', () => {
    const none = under(KEY, ['tracked', ['rate double', 'price decimal(10,2) not null', 'seen timestamp']]);
    expect(none).toEqual({ skip: 'The column `price` cannot hold its values.' });
    const other = under(KEY, ['tracked', ['rate double', 'price integer', 'seen timestamp']]);
    expect(other).toMatchObject({ skip: expect.stringContaining('price') });
  });
});
