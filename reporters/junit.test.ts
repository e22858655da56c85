import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Report } from '../src/runner/report.ts';
import { manyFindings, manyProblems } from './hostile.fixture.ts';
import { readXml } from './junit/read-xml.ts';
import { renderJunit } from './junit.ts';
import { ASSUMED_STRICT, LATE_OVERLAP, PASS, SAMPLES, TIMEOUT } from './samples.ts';

const PLACE = { cwd: '/repo/etl', root: '/repo' };

function testsOf(report: Report) {
  const cases = readXml(renderJunit(report, PLACE)).filter(({ name }) => name === 'testcase');
  return new Map(
    cases.map((found) => [`${found.attributes['classname']} ${found.attributes['name']}`, found]),
  );
}

describe('the JUnit report', () => {
  test.each(Object.entries(SAMPLES))('of %s reads as before', async (name, report) => {
    await expect(renderJunit(report, PLACE)).toMatchFileSnapshot(`../test/golden/junit-${name}.xml`);
  });

  test('has the same unique names whatever the outcome', () => {
    const ids = [...PASS.cases, ...PASS.checks].length + 1;
    const names = [...testsOf({ ...LATE_OVERLAP, implementation: PASS.implementation }).keys()];
    expect(names).toEqual([...testsOf(PASS).keys()]);
    expect(new Set(names).size).toBe(ids);
  });

  test('names tests scd2check.<implementation>.<group>, with no other dots, and the file from the root of the repository', () => {
    for (const { attributes } of testsOf(PASS).values()) {
      expect(attributes['classname']).toMatch(/^scd2check\.etl\/examples\/merge_sql\.(cases|checks|run)$/);
      expect(attributes['name']).not.toContain('.');
      expect(attributes['file']).toBe('etl/examples/merge.sql');
    }
  });

  test('has no file where the implementation is a command', () => {
    expect(renderJunit(TIMEOUT, PLACE)).not.toContain('file=');
  });

  test('says the one sentence in the message and as the first line of the text, then the table', () => {
    const failure = testsOf(LATE_OVERLAP).get('scd2check.etl/load/customers_sql.cases late-arrival')!
      .children[0]!;
    const message = LATE_OVERLAP.findings[0]!.message;
    expect(failure.name).toBe('failure');
    expect(failure.attributes['message']).toBe(message);
    expect(failure.text.split('\n')[0]).toBe(message);
    expect(failure.text).toMatch(/\nE {2}C1 .*\nD {2}C1 /);
  });

  test('of a check that only follows shows what it follows from', () => {
    const failure = testsOf(LATE_OVERLAP).get('scd2check.etl/load/customers_sql.checks content')!
      .children[0]!;
    expect(failure.attributes['message']).toMatch(/^Follows from no-overlap: Two versions/);
    expect(failure.text.split('\n')[0]).toBe(failure.attributes['message']);
    expect(failure.text).toContain('follows: one-open-version, content');
  });

  test('skips what does not apply, and calls an error what could not be judged', () => {
    const tests = [...testsOf(TIMEOUT).values()];
    const kinds = new Set(
      tests.map(({ children }) => `${children[0]?.name} ${children[0]?.attributes['type']}`),
    );
    expect(kinds).toEqual(new Set(['error inconclusive', 'skipped undefined']));
    expect(renderJunit(TIMEOUT, PLACE)).toContain('psycopg.OperationalError');
  });

  test('does not fail a test for a warning', () => {
    const checks = ASSUMED_STRICT.checks.map((check) => ({ ...check, severity: 'warn' as const }));
    const found = testsOf({ ...ASSUMED_STRICT, checks }).get('scd2check.etl/etl/scd2_sql.checks open-count')!;
    expect(found.children.map(({ name }) => name)).toEqual(['system-out']);
  });

  test('does not fail a test for what the configuration accepts', () => {
    const [finding] = LATE_OVERLAP.findings;
    const known = [{ id: finding!.id, reason: 'Mended in the autumn.', gone: false }];
    const xml = renderJunit({ ...LATE_OVERLAP, verdict: 'pass', known }, PLACE);
    expect(xml).not.toContain('<failure');
    expect(xml).toContain('<system-out>');
  });

  test('is read by GitLab: unique names, a file, text in each failure, and far below 30 MB', () => {
    for (const report of [manyFindings(10_000), manyProblems(1000)]) {
      const xml = renderJunit(report, PLACE);
      expect(Buffer.byteLength(xml)).toBeLessThan(30_000_000 / 10);
      const cases = readXml(xml).filter(({ name }) => name === 'testcase');
      const identities = cases.map(({ attributes }) => `${attributes['classname']} ${attributes['name']}`);
      expect(new Set(identities).size).toBe(cases.length);
      for (const { children } of cases) for (const child of children) expect(child.text.trim()).not.toBe('');
    }
    expect([...testsOf(manyFindings(1)).values()].every(({ attributes }) => attributes['file'] !== '')).toBe(
      true,
    );
  });

  test('is read by Jenkins: a package, a class and a name, numbers as times, an error or a failure and not both', () => {
    for (const { attributes, children } of testsOf(LATE_OVERLAP).values()) {
      // Its last dot separates the package from the class.
      const [, pack, className] = /^(.*)\.([^.]+)$/.exec(attributes['classname']!)!;
      expect(pack).toBe('scd2check.etl/load/customers_sql');
      expect(['cases', 'checks', 'run']).toContain(className);
      expect(attributes['time']).toMatch(/^\d+\.\d{3}$/);
      const outcomes = children.filter(({ name }) => ['error', 'failure', 'skipped'].includes(name));
      expect(outcomes.length).toBeLessThanOrEqual(1);
    }
  });

  test('is well-formed whatever the values are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const [finding] = LATE_OVERLAP.findings;
        const row = { [value]: value };
        const version = { ...finding!.expected[0]!, values: row };
        const report: Report = {
          ...LATE_OVERLAP,
          implementation: { name: value, kind: 'sql' },
          cases: LATE_OVERLAP.cases.map((result) => ({ ...result, skipReason: value })),
          problems: [{ kind: value, message: value, stderr: value }],
          findings: [{ ...finding!, message: value, key: row, expected: [version], replay: value }],
        };
        expect(() => readXml(renderJunit(report, PLACE))).not.toThrow();
      }),
    );
  });
});
