import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { scd2check } from './bin.ts';
import { EXAMPLES, goldenName } from './examples.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const ARGS = ['--config', 'test/fixtures/none.config.json'];

/** What a probe prints, without the time it took. */
async function say(path: string, ...more: readonly string[]) {
  const { code, stdout } = await scd2check(ROOT, ['probe', path, ...ARGS, ...more]);
  return { code, text: stdout.replace(/loads, [\d.]+ s/, 'loads, … s') };
}

describe('what a probe says of the examples', () => {
  test.each(EXAMPLES)('%s ends with %i', async (path, code) => {
    const said = await say(path);
    expect(said.code).toBe(code);
    expect(said.text.split('\n').filter((line) => stringWidth(line) > 80)).toEqual([]);
    await expect(said.text).toMatchFileSnapshot(`../golden/probe/${goldenName(path)}`);
  });

  test('is there as data', async () => {
    const { stdout } = await scd2check(ROOT, [
      'probe',
      'examples/seeds/boundary.py',
      ...ARGS,
      '--reporter',
      'json',
    ]);
    const report = JSON.parse(stdout);
    const schema = JSON.parse(readFileSync(join(ROOT, 'docs/schemas/probe-1.json'), 'utf8'));
    const validate = new Ajv({ allErrors: true }).compile(schema);
    validate(report);
    expect(validate.errors).toBeNull();
    const late = report.fields.find(({ field }: { field: string }) => field === 'late');
    expect(late).toMatchObject({ status: 'contradicts', option: null });
    expect(late.evidence.map(({ follows }: { follows: string }) => follows)).toEqual(['apply', 'ignore']);
  });
});

describe('a probe of what stamps by the wall clock', () => {
  test('looks for the clock in the history, where type 4 has a current table without stamps', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'scd2check-probe-'));
    const same = (table: string) => `${table}.customer_id = b.customer_id AND ${table}.valid_to IS NULL`;
    const load = `-- scd2check:dimension cur
-- scd2check:history hist
-- scd2check:feed delta
-- scd2check:deletes never
-- scd2check:load
BEGIN;
UPDATE hist SET valid_to = now()::TIMESTAMP FROM batch b WHERE ${same('hist')} AND hist.customer_segment IS DISTINCT FROM b.customer_segment;
INSERT INTO hist BY NAME SELECT *, now()::TIMESTAMP AS valid_from FROM batch b WHERE NOT EXISTS (FROM hist h WHERE ${same('h')});
DELETE FROM cur WHERE customer_id IN (SELECT customer_id FROM batch);
INSERT INTO cur BY NAME FROM batch;
COMMIT;`;
    try {
      writeFileSync(join(folder, 'load.sql'), load);
      const { stdout } = await scd2check(folder, ['probe', 'load.sql', '--reporter', 'json']);
      const { fields } = JSON.parse(stdout);
      const clock = fields.find(({ field }: { field: string }) => field === 'clock');
      expect(clock).toMatchObject({ option: 'moved' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a probe of a history of what has ended', () => {
  test('sees no open version, and so no marker of one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'scd2check-probe-'));
    const differs = 'l.customer_segment IS DISTINCT FROM b.customer_segment';
    const load = `-- scd2check:history past
-- scd2check:historyHolds past
-- scd2check:feed delta
-- scd2check:deletes never
-- scd2check:late never
-- scd2check:setup
CREATE TABLE live (customer_id VARCHAR, customer_segment VARCHAR, street VARCHAR, since TIMESTAMP);
CREATE VIEW dimension AS SELECT * EXCLUDE (since) FROM live;
-- scd2check:load
BEGIN;
INSERT INTO past (customer_id, customer_segment, street, valid_from, valid_to) SELECT l.*, :as_of FROM live l JOIN batch b USING (customer_id) WHERE ${differs};
UPDATE live l SET customer_segment = b.customer_segment, street = b.street, since = CASE WHEN ${differs} THEN :as_of ELSE since END FROM batch b WHERE b.customer_id = l.customer_id;
INSERT INTO live SELECT *, :as_of FROM batch b WHERE NOT EXISTS (FROM live l WHERE l.customer_id = b.customer_id);
COMMIT;`;
    try {
      writeFileSync(join(folder, 'load.sql'), load);
      const { stdout } = await scd2check(folder, ['probe', 'load.sql', '--reporter', 'json']);
      const { fields } = JSON.parse(stdout);
      const status = (name: string) => fields.find(({ field }: { field: string }) => field === name);
      expect(status('historyHolds')).toMatchObject({ status: 'follows', option: 'past' });
      expect(status('openMarker')).toMatchObject({ status: 'not-observable' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a probe of rows that are marked as deleted', () => {
  test('calls them marker rows where a table that is overwritten keeps them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'scd2check-probe-'));
    const load = `-- scd2check:setup
CREATE TABLE dimension (customer_id VARCHAR, customer_segment VARCHAR, street VARCHAR, deleted_flag VARCHAR);
-- scd2check:load
BEGIN;
UPDATE dimension SET deleted_flag = 'Y' WHERE customer_id NOT IN (SELECT customer_id FROM batch);
DELETE FROM dimension WHERE customer_id IN (SELECT customer_id FROM batch);
INSERT INTO dimension SELECT *, 'N' FROM batch;
COMMIT;`;
    try {
      writeFileSync(join(folder, 'load.sql'), load);
      const { stdout } = await scd2check(folder, ['probe', 'load.sql', '--reporter', 'json']);
      const { fields } = JSON.parse(stdout);
      const deletes = fields.find(({ field }: { field: string }) => field === 'deletes');
      expect(deletes).toMatchObject({ status: 'follows', option: 'marker-row' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('what a probe writes', () => {
  test('is the contract by which a run then judges, and it holds', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'scd2check-probe-'));
    try {
      cpSync(join(ROOT, 'examples/observation-log.sql'), join(folder, 'load.sql'));
      const written = await scd2check(folder, ['probe', 'load.sql', '--write', '--quiet']);
      expect(written.stderr).toContain(
        'Wrote contract strict, sameInstant last, nullKey value, untracked current',
      );
      expect(readFileSync(join(folder, 'load.sql'), 'utf8')).toMatch(/^-- scd2check:contract strict\n/);
      const { code } = await scd2check(folder, ['load.sql', '--scope', '1', '--histories', '20', '--quiet']);
      expect(code).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('wrong use of probe', () => {
  test.each([
    [['probe'], '`scd2check probe` needs one implementation'],
    [['probe', 'examples/observation-log.sql', '--reporter', 'junit'], 'not `junit`'],
    [['probe', 'examples/observation-lag.sql'], 'Did you mean examples/observation-log.sql?'],
  ])('%j ends with 2 and says so', async (args, message) => {
    const { code, stderr } = await scd2check(ROOT, args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('what a probe says of a load that reads the clock', () => {
  test('is that it does, and everything that does not need a clock that is set', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'scd2check-probe-'));
    try {
      const script = readFileSync(join(ROOT, 'examples/observation-log.ts'), 'utf8');
      const stamped = script.replace(
        'columns = contract.columns;',
        "columns = contract.columns;\n  asOf = new Date().toISOString().replace('Z', '000Z');",
      );
      writeFileSync(join(folder, 'load.ts'), stamped);
      const { stdout } = await scd2check(folder, ['probe', 'load.ts', '--reporter', 'json']);
      const { fields } = JSON.parse(stdout) as {
        fields: { field: string; status: string; option: string | null }[];
      };
      const found = Object.fromEntries(fields.map(({ field, status, option }) => [field, option ?? status]));
      expect(found).toMatchObject({
        clock: 'wall',
        deletes: 'close',
        reappearance: 'gap',
        untracked: 'current',
        late: 'not-observable',
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
