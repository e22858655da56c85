import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { codeQualityOf, createReporter } from './gitlab.ts';
import { HOSTILE, manyFindings } from './hostile.fixture.ts';
import { ASSUMED_STRICT, LATE_OVERLAP, PASS, SAMPLES, TIMEOUT } from './samples.ts';
import { written } from './testing.ts';

const PLACE = { cwd: '/repo/etl', root: '/repo' };
const text = { type: 'string', minLength: 1 };
/** Written after the table of fields in GitLab's documentation of the format, which has no schema. */
const validate = new Ajv({ allErrors: true }).compile({
  type: 'array',
  items: {
    type: 'object',
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    properties: {
      description: text,
      check_name: text,
      fingerprint: text,
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        required: ['path', 'lines'],
        properties: {
          // Relative, and without `./`.
          path: { type: 'string', pattern: '^[^./]|^\\.[^./]' },
          lines: {
            type: 'object',
            required: ['begin'],
            properties: { begin: { type: 'integer', minimum: 1 } },
          },
        },
      },
    },
  },
});

describe('the Code Quality report', () => {
  test.each(Object.entries({ ...SAMPLES, hostile: HOSTILE }))(
    'of %s has the documented form',
    (_, report) => {
      const printed = written(createReporter, report);
      expect(printed.charCodeAt(0)).toBe('['.charCodeAt(0));
      validate(JSON.parse(printed));
      expect(validate.errors).toBeNull();
    },
  );

  test('of findings that may be meant and that cannot be reads as before', async () => {
    const issues = codeQualityOf(ASSUMED_STRICT, PLACE);
    expect(issues.map(({ severity }) => severity)).toEqual(['major', 'critical']);
    await expect(`${JSON.stringify(issues, null, 2)}\n`).toMatchFileSnapshot(
      '../test/golden/gitlab-assumed-strict.json',
    );
  });

  test('is empty where nothing is wrong', () => {
    expect(codeQualityOf(PASS, PLACE)).toEqual([]);
  });

  test('calls what is accepted info, and has one issue for what could not be judged', () => {
    const known = LATE_OVERLAP.findings.map(({ id }) => ({ id, reason: 'x', gone: false }));
    expect(codeQualityOf({ ...LATE_OVERLAP, known }, PLACE).map(({ severity }) => severity)).toEqual([
      'info',
    ]);
    expect(codeQualityOf(TIMEOUT, PLACE)).toMatchObject([
      { check_name: 'scd2check/inconclusive', severity: 'major', location: { path: 'etl/load.py' } },
    ]);
  });

  test('has the same fingerprint in each run, and another for each finding and implementation', () => {
    const prints = (report = LATE_OVERLAP) =>
      codeQualityOf(report, PLACE).map(({ fingerprint }) => fingerprint);
    expect(prints({ ...LATE_OVERLAP, run: PASS.run })).toEqual(prints());
    expect(prints({ ...LATE_OVERLAP, implementation: PASS.implementation })).not.toEqual(prints());
    const many = codeQualityOf(manyFindings(10_000), PLACE);
    expect(new Set(many.map(({ fingerprint }) => fingerprint)).size).toBe(5000);
  });
});
