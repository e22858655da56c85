import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { createReporter, ctrfOf } from './ctrf.ts';
import { HOSTILE, manyFindings } from './hostile.fixture.ts';
import { LATE_OVERLAP, SAMPLES, TIMEOUT } from './samples.ts';
import { written } from './testing.ts';

const PLACE = { cwd: '/repo/etl', root: '/repo' };
/** The schema as the format's own package has it. */
const SCHEMA = join(dirname(createRequire(import.meta.url).resolve('ctrf')), 'ctrf-schema-0.0.json');
const validate = new Ajv({ allErrors: true, strict: false, validateFormats: false }).compile(
  JSON.parse(readFileSync(SCHEMA, 'utf8')),
);

describe('the CTRF report', () => {
  test.each(Object.entries({ ...SAMPLES, hostile: HOSTILE }))('of %s follows the schema', (_, report) => {
    validate(JSON.parse(written(createReporter, report)));
    expect(validate.errors).toBeNull();
  });

  test('of a failure reads as before', async () => {
    const text = JSON.stringify(ctrfOf(LATE_OVERLAP, PLACE), null, 2);
    await expect(`${text}\n`).toMatchFileSnapshot('../test/golden/ctrf-late-overlap.json');
  });

  test('counts each test once, by its status', () => {
    for (const report of Object.values(SAMPLES)) {
      const { summary, tests } = ctrfOf(report, PLACE).results;
      for (const status of ['passed', 'failed', 'skipped', 'pending', 'other'] as const)
        expect(summary[status]).toBe(tests.filter((one) => one.status === status).length);
      expect(summary.tests).toBe(tests.length);
      expect(new Set(tests.map(({ testId }) => testId)).size).toBe(tests.length);
    }
  });

  test('calls other what could not be judged, and says so', () => {
    const tests = ctrfOf(TIMEOUT, PLACE).results.tests.filter(({ status }) => status === 'other');
    expect(new Set(tests.map(({ rawStatus }) => rawStatus))).toEqual(new Set(['inconclusive']));
    expect(tests.at(-1)).toMatchObject({ name: 'run', message: expect.stringContaining('timeout:') });
  });

  test('has whole milliseconds, from the start of the run', () => {
    const { start, stop } = ctrfOf(
      { ...LATE_OVERLAP, timings: { ...LATE_OVERLAP.timings, totalMs: 1.5 } },
      PLACE,
    ).results.summary;
    expect(start).toBe(Date.parse('2026-03-01T06:00:00Z'));
    expect(stop).toBe(start + 2);
  });

  test('stays small with many findings', () => {
    expect(written(createReporter, manyFindings(10_000)).length).toBeLessThan(1_000_000);
  });
});
