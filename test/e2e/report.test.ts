import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scd2check, unwrapped } from './bin.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SHORT = ['--scope', '0', '--histories', '0', '--case', 'value-to-null'];

let folder: string;
let runs: string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'scd2check-report-'));
  const script = readFileSync(join(ROOT, 'examples', 'seeds', 'daily-merge.sql'), 'utf8');
  writeFileSync(join(folder, 'load.sql'), script);
  writeFileSync(
    join(folder, 'throws.mjs'),
    'export default () => ({ onEnd() { throw new Error("no paper\\u001b[31m"); } });\n',
  );
  writeFileSync(
    join(folder, 'mine.mjs'),
    'export default (output) => ({ onEnd(report) { report.findings.length = 0; output.write(`mine ${report.verdict}\\n`); } });\n',
  );
  await scd2check(folder, ['load.sql', ...SHORT, '--quiet']);
  runs = readdirSync(join(folder, '.scd2check', 'runs'));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => scd2check(folder, args);
const file = (name: string) => readFileSync(join(folder, name), 'utf8');

describe('scd2check report', () => {
  test('renders a run that is over by any reporter, and exits with 0 though it failed', async () => {
    const { code, stdout } = await run(
      'report',
      'last',
      '--reporter',
      'html:page.html',
      '--reporter',
      'junit:report.xml',
      '--reporter',
      'markdown:comment.md',
    );
    expect(code).toBe(0);
    expect(stdout).toContain('FAIL');
    expect(file('page.html')).toContain('Jump to the first failure');
    expect(file('report.xml')).toContain('<failure type="version-count"');
    expect(file('comment.md')).toMatch(/^<!-- scd2check: load\.sql -->\n/);
  });

  test('takes an id, the beginning of one, a folder and a file', async () => {
    const [id] = runs;
    const path = join('.scd2check', 'runs', id!);
    const printed = await Promise.all(
      [id!, id!.slice(0, 12), path, join(path, 'report.json')].map((target) =>
        run('report', target, '--reporter', 'json:-'),
      ),
    );
    for (const { code, stdout } of printed) {
      expect(code).toBe(0);
      expect(JSON.parse(stdout).run.id).toBe(id);
    }
  });

  test('writes a folder where the reporter can, with style and script in files of their own', async () => {
    expect((await run('report', 'last', '--quiet', '--reporter', 'html:pages/run/')).code).toBe(0);
    expect(readdirSync(join(folder, 'pages', 'run')).sort()).toEqual([
      'index.html',
      'script.js',
      'style.css',
    ]);
    expect(file('pages/run/index.html')).not.toMatch(/<style|<script>| style=/);
    const { code, stderr } = await run('report', 'last', '--reporter', 'junit:pages/');
    expect(code).toBe(2);
    expect(stderr).toContain('The reporter `junit` writes one file, and `pages/` is a folder.');
  });

  test.each([
    [[], 'Which run? Name one: scd2check report last'],
    [['20990101T000000-0000'], 'There is no run `20990101T000000-0000` in'],
    [['nowhere/report.json'], 'There is no file `nowhere/report.json`.'],
    [['load.sql'], 'Cannot read the report'],
    [['other.json'], 'is not the report of a run: it must have required property'],
    [['damaged.json'], 'is not the report of a run: `/verdict` must be equal to one of the allowed values.'],
  ])('answers %j with one sentence and exit code 2', async (targets, sentence) => {
    writeFileSync(join(folder, 'other.json'), '{"schema": 1}');
    const report = JSON.parse(file(join('.scd2check', 'runs', runs[0]!, 'report.json')));
    writeFileSync(join(folder, 'damaged.json'), JSON.stringify({ ...report, verdict: 'maybe', later: 1 }));
    const { code, stdout, stderr } = await run('report', ...targets);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(unwrapped(stderr)).toContain(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('says that there is no run where there is none', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty, { recursive: true });
    const { code, stderr } = await scd2check(empty, [
      'report',
      'last',
      '--config',
      join(ROOT, 'test/fixtures/none.config.json'),
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('There is no run with a report in');
  });
});

describe('reporters of third parties', () => {
  test('one that throws is told of, the others go on, and the exit code says that something is wrong', async () => {
    const { code, stdout, stderr } = await run(
      'load.sql',
      ...SHORT,
      '--reporter',
      './throws.mjs:paper.txt',
      '--reporter',
      './mine.mjs:mine.txt',
      '--reporter',
      'json:after.json',
    );
    expect(code).toBe(2);
    expect(stdout).toContain('FAIL');
    expect(stderr).toContain(
      'The reporter `./throws.mjs` failed, so its report is not written: no paper\\x1b[31m.',
    );
    expect(readdirSync(folder)).not.toContain('paper.txt');
    expect(file('mine.txt')).toBe('mine fail\n');
    // What one does to its copy is not seen by the next.
    expect(JSON.parse(file('after.json')).findings).toHaveLength(1);
  });
});

describe('under GitHub Actions', () => {
  test('annotations, summary and outputs come by themselves, and leave stdout alone', async () => {
    const env = {
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
      GITHUB_OUTPUT: join(folder, 'outputs'),
    };
    const { code, stdout, stderr } = await scd2check(
      folder,
      ['load.sql', ...SHORT, '--reporter', 'json:-'],
      env,
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout).environment.ci.name).toBe('GitHub Actions');
    expect(stderr).toMatch(/^::error file=.*,title=load\.sql%3A version-count::/m);
    expect(file('summary.md')).toContain('### ❌ FAIL: `load.sql`');
    expect(file('outputs')).toMatch(/^verdict=fail\n/);
  });
});
