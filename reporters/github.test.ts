import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { annotationLine } from './github/commands.ts';
import {
  addOutputs,
  annotationsOf,
  createReporter,
  outputLines,
  outputsOf,
  summaryOf,
  within,
} from './github.ts';
import { HOSTILE, HOSTILE_TEXT, manyFindings, manyProblems } from './hostile.fixture.ts';
import { ASSUMED_STRICT, LATE_OVERLAP, PASS, SAMPLES, TIMEOUT } from './samples.ts';
import { written } from './testing.ts';

const PLACE = { cwd: '/repo/etl', root: '/repo' };
const ALL = () => ({ error: 10, warning: 10, notice: 10 });

/** Reads a command as the runner does: https://github.com/actions/runner, `ActionCommand`. */
function read(line: string) {
  const [, level, properties = '', data = ''] = /^::(\w+) (.*?)::(.*)$/s.exec(line)!;
  const decode = (text: string) =>
    text
      .replaceAll('%0D', '\r')
      .replaceAll('%0A', '\n')
      .replaceAll('%3A', ':')
      .replaceAll('%2C', ',')
      .replaceAll('%25', '%');
  const pairs = properties
    .split(',')
    .map((pair) => [pair.split('=')[0], decode(pair.slice(pair.indexOf('=') + 1))]);
  return { level, ...Object.fromEntries(pairs), message: decode(data) };
}

describe('annotations', () => {
  test('name the implementation, the check and the file, with the sentence and how to replay it', () => {
    const [annotation] = annotationsOf(LATE_OVERLAP, PLACE);
    expect(read(annotationLine(annotation!))).toEqual({
      level: 'error',
      file: 'etl/load/customers.sql',
      line: '1',
      title: 'load/customers.sql: no-overlap',
      message: `${LATE_OVERLAP.findings[0]!.message}\ncase late-arrival · customer_id = C1 · after batch 2\nReplay: npx scd2check replay no-overlap-late-arrival`,
    });
  });

  test('are errors where the run fails or could not be judged, and notices of what is accepted', () => {
    const levels = (report = PASS) => annotationsOf(report, PLACE).map(({ level }) => level);
    const known = LATE_OVERLAP.findings.map(({ id }) => ({ id, reason: 'x', gone: false }));
    expect(levels(ASSUMED_STRICT)).toEqual(['error', 'error']);
    expect(levels(TIMEOUT)).toEqual(['error']);
    expect(levels({ ...TIMEOUT, verdict: 'fail' })).toEqual(['warning']);
    expect(levels({ ...LATE_OVERLAP, known })).toEqual(['notice']);
    expect(levels(PASS)).toEqual([]);
  });

  test('of hostile text are one line each, which says that text and nothing else', () => {
    for (const annotation of annotationsOf(HOSTILE, PLACE)) {
      const line = annotationLine(annotation);
      expect(line).not.toMatch(/[\r\n]/);
      const { title, message } = read(line);
      expect(message).toBe(annotation.message);
      expect(annotation.title).toSatisfy((whole: string) => whole.startsWith(title.replace(/…$/, '')));
    }
    const forged = {
      level: 'error' as const,
      title: `a${HOSTILE_TEXT}`,
      message: HOSTILE_TEXT,
      file: 'a,b:c\n.sql',
    };
    expect(read(annotationLine(forged))).toEqual({ ...forged, line: '1' });
  });

  test('are as many as GitHub shows, in all reports of a step; the last one counts the rest', () => {
    const left = ALL();
    const first = within(left, annotationsOf(manyFindings(4), PLACE));
    expect(first).toHaveLength(4);
    const second = within(left, annotationsOf(manyFindings(10_000), PLACE));
    expect(second).toHaveLength(6);
    expect(second.at(-1)!.message).toContain('9995 more annotations');
    expect(within(left, annotationsOf(manyFindings(1), PLACE))).toEqual([]);
  });
});

describe('the step', () => {
  const folder = mkdtempSync(join(tmpdir(), 'scd2check-github-'));
  afterEach(() => vi.unstubAllEnvs());
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('has a summary, cut to what its file has left', () => {
    const many = manyFindings(10_000);
    expect(summaryOf(LATE_OVERLAP, 1_000_000)).toContain('#### ✗ no\\-overlap');
    expect(Buffer.byteLength(summaryOf(many, 1_000_000))).toBeLessThanOrEqual(1_000_000);
    expect(Buffer.byteLength(summaryOf(many, 50_000))).toBeLessThanOrEqual(50_000);
    expect(summaryOf(many, 50_000)).toMatch(/no more room here: \d+ findings/);
    expect(Buffer.byteLength(summaryOf(manyProblems(1000), 1_000_000))).toBeLessThanOrEqual(1_000_000);
    expect(summaryOf(many, 500)).toBe('');
  });

  test('has outputs: the worst verdict and the sums, a line each', () => {
    const both = addOutputs(outputsOf(LATE_OVERLAP), outputsOf(PASS));
    expect(both).toMatchObject({ verdict: 'fail', findings: 1, total: 58, run: PASS.run.id });
    expect(both.passed + both.failed + both.skipped + both.inconclusive).toBe(both.total);
    expect(outputLines(outputsOf(PASS))).toBe(
      `verdict=pass\ntotal=29\npassed=24\nfailed=0\nskipped=5\ninconclusive=0\nfindings=0\nrun=${PASS.run.id}\n`,
    );
    expect(outputLines(outputsOf(HOSTILE)).split('\n')).toHaveLength(9);
  });

  test('gets them in the files that GitHub names, after what is there', () => {
    const [summary, outputs] = [join(folder, 'summary'), join(folder, 'outputs')];
    vi.stubEnv('GITHUB_STEP_SUMMARY', summary);
    vi.stubEnv('GITHUB_OUTPUT', outputs);
    writeFileSync(summary, 'from another command\n');
    expect(written(createReporter, LATE_OVERLAP)).toMatch(/^::error file=.*\n$/);
    expect(readFileSync(summary, 'utf8')).toMatch(
      /^from another command\n### ❌ FAIL: `load\/customers.sql`\n/,
    );
    expect(readFileSync(outputs, 'utf8')).toContain('verdict=fail\n');
  });

  test.each(Object.entries(SAMPLES))('of %s reads as before', async (name, report) => {
    vi.stubEnv('GITHUB_STEP_SUMMARY', '');
    vi.stubEnv('GITHUB_OUTPUT', '');
    const lines = annotationsOf(report, PLACE).map((annotation) => `${annotationLine(annotation)}\n`);
    await expect(lines.join('')).toMatchFileSnapshot(`../test/golden/github-${name}.txt`);
  });
});
