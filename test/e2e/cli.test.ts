import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/runner/report.ts';
import { type Ended, leftOvers, onTerminal, scd2check, start, unwrapped } from './bin.ts';

const RIGHT = join(import.meta.dirname, '..', 'fixtures', 'hostile', 'right.mjs');
const WRONG = join(import.meta.dirname, '..', 'broken', 'hard-delete.sql');
/** Enough to see a run from end to end. */
const SHORT = ['--scope', '0', '--histories', '0', '--case', 'no-change,segment-change,deleted'];

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'scd2check-cli-')));
});
afterAll(() => rm(folder, { recursive: true }));

const run = (...args: string[]): Promise<Ended> => scd2check(folder, args);

async function reportIn(file: string): Promise<Report> {
  return JSON.parse(await readFile(join(folder, file), 'utf8'));
}

describe('what was asked for by name and does not apply', () => {
  test.each([
    ['a check', ['--check', 'hash-matches'], 'hash-matches ('],
    ['a case', ['--case', 'untracked-frozen'], 'untracked-frozen ('],
  ])('is no pass: %s', async (_, flags, words) => {
    const { code, stdout } = await run(RIGHT, ...flags, '--scope', '0', '--histories', '0');
    expect(stdout.replace(/\s+/g, ' ')).toContain(words);
    expect(stdout).toContain('INCONCLUSIVE');
    expect(code).toBe(3);
  });
});

describe('wrong usage exits 2 and names what was probably meant', () => {
  test.each([
    ['a flag', ['--timout', '3s', RIGHT], 'There is no flag `--timout`. Did you mean `--timeout`?'],
    ['a case', ['--case', 'no-chnge', RIGHT], 'There is no case `no-chnge`. Did you mean `no-change`?'],
    ['a check', ['--check', 'no-overlp', RIGHT], 'There is no check `no-overlp`. Did you mean `no-overlap`?'],
    ['a check to skip', ['--skip', 'contnt', RIGHT], 'There is no check `contnt`. Did you mean `content`?'],
    ['an option', ['--set', 'deletes=ignor', RIGHT], '`deletes` cannot be `ignor`. Did you mean `ignore`?'],
    ['a field', ['--set', 'delets=ignore', RIGHT], 'no field `delets`. Did you mean `deletes`?'],
    [
      'a contract',
      ['--contract', 'strct', RIGHT],
      '`--contract strct` is neither a preset nor a file. Did you mean `strict`?',
    ],
    ['a reporter', ['--reporter', 'jsn:-', RIGHT], 'Did you mean `json`?'],
    ['a time', ['--timeout', 'soon', RIGHT], '`--timeout` cannot be `soon`. Write a time such as 500ms'],
    ['a scope that never ends', ['--scope', '99', RIGHT], '`--scope` cannot be `99`. Write 7 or less'],
    ['no failures', ['--max-failures', '0', RIGHT], '`--max-failures` cannot be `0`'],
    ['nothing at all', [], 'Name an implementation: scd2check ./my-impl.sql'],
  ])('%s', async (_, args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test('a contract that contradicts itself, with what would not', async () => {
    const contradiction = ['--set', 'deletes=marker-row', '--set', 'reappearance=bridge'];
    const { code, stderr } = await run(...contradiction, RIGHT);
    expect(stderr).toContain('The contract contradicts itself: `deletes: marker-row`');
    expect(stderr).toContain('declare `reappearance: gap`');
    expect(code).toBe(2);
  });
});

test('--print-contract prints the contract, marks what differs from strict, and runs nothing', async () => {
  const { code, stdout, stderr } = await run('--print-contract', '--set', 'late=ignore', RIGHT);
  expect(stdout).toMatch(/^decisions\n/);
  expect(stdout).toMatch(/^ {2}late +ignore {3}\(strict: apply\)$/m);
  expect(stdout).toMatch(/^ {2}key +customer_id text/m);
  expect(stderr).toBe('');
  expect(code).toBe(0);
});

describe('reports', () => {
  test('json on stdout is alone there', async () => {
    const { code, stdout, stderr } = await run(...SHORT, '--reporter', 'json:-', RIGHT);
    const report: Report = JSON.parse(stdout);
    expect(report.verdict).toBe('pass');
    expect(report.cases.map(({ id }) => id)).toEqual(['no-change', 'segment-change', 'deleted']);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  test('a file takes the place of an old one as a whole, beside the terminal report', async () => {
    await writeFile(join(folder, 'report.json'), '{"old": true}');
    const { stdout } = await run(
      ...SHORT,
      '--reporter',
      'json:report.json',
      '--reporter',
      'junit:new/report.xml',
      RIGHT,
    );
    expect(stdout).toContain('PASS');
    expect((await reportIn('report.json')).verdict).toBe('pass');
    expect(await readFile(join(folder, 'new', 'report.xml'), 'utf8')).toMatch(
      /^<\?xml[\s\S]*<\/testsuites>\s*$/,
    );
    expect((await readdir(folder)).filter((name) => name.includes('.part'))).toEqual([]);
  });

  test('a file that cannot be written is refused before anything runs', async () => {
    await writeFile(join(folder, 'a-file'), '');
    for (const [path, why] of [
      ['a-file/report.json', 'not a directory'],
      ['.', 'it is a folder'],
    ]) {
      const { code, stdout, stderr } = await run(...SHORT, '--reporter', `json:${path}`, RIGHT);
      expect(stderr).toContain(`Cannot write the report \`${join(folder, path!)}\``);
      expect(stderr).toContain(why);
      expect(stdout).toBe('');
      expect(code).toBe(2);
    }
  });

  test('two that want stdout are told so', async () => {
    const { code, stderr } = await run('--reporter', 'json:-', '--reporter', 'junit:-', RIGHT);
    expect(stderr).toContain('Two reporters write to stdout');
    expect(code).toBe(2);
  });

  test('a reader that has seen enough breaks nothing', async () => {
    const flags = [...SHORT, '--reporter', 'ndjson:-', '--reporter', 'json:kept.json'];
    const { child, ended } = start(folder, [...flags, WRONG]);
    child.stdout!.once('data', () => child.stdout!.destroy());
    const { code, stderr } = await ended;
    expect(stderr).toBe('');
    expect(code).toBe(1);
    expect((await reportIn('kept.json')).verdict).toBe('fail');
  });

  test('colours are for terminals, unless NO_COLOR is set or --no-color is said', async () => {
    const colours = new RegExp(`${String.fromCharCode(27)}\\[`);
    const shown = async (env: NodeJS.ProcessEnv, ...flags: string[]) => {
      const { code, stdout } = await onTerminal(folder, [...SHORT, ...flags, '--quiet', RIGHT], env);
      expect(stdout).toContain('PASS');
      expect(code).toBe(0);
      return stdout;
    };
    expect(await shown({ NO_COLOR: '' })).toMatch(colours);
    expect(await shown({ NO_COLOR: '1' })).not.toMatch(colours);
    expect(await shown({ NO_COLOR: '', FORCE_COLOR: '1' }, '--no-color')).not.toMatch(colours);
    expect((await run(...SHORT, '--quiet', RIGHT)).stdout).not.toMatch(colours);
  });
});

describe('an implementation', () => {
  test('can be the only one in a folder', async () => {
    await mkdir(join(folder, 'my-impl'));
    await writeFile(join(folder, 'my-impl', 'load.mjs'), await readFile(RIGHT, 'utf8'));
    await writeFile(join(folder, 'my-impl', 'README.md'), 'The load.');
    const { code, stdout } = await run(...SHORT, './my-impl');
    expect(unwrapped(stdout)).toContain('load.mjs (function)');
    expect(code).toBe(0);
  });

  test('can be a command, with flags of its own', async () => {
    await writeFile(
      join(folder, 'plain.py'),
      'import json, sys\nassert sys.argv[1:] == ["--full", "x"]\njson.load(sys.stdin)\nprint("[]")\n',
    );
    const { code, stdout } = await run(...SHORT, '--', 'python3', 'plain.py', '--full', 'x');
    expect(unwrapped(stdout)).toContain('python3 plain.py --full x (command)');
    expect(unwrapped(stdout)).toContain(' -- python3 plain.py --full x');
    expect(code).toBe(1);
  });

  test('is judged alike in every time zone', async () => {
    const findings: unknown[] = [];
    for (const [index, TZ] of ['UTC', 'America/New_York', 'Asia/Kathmandu'].entries()) {
      // In a folder of its own: what failed in one run is tried first in the next.
      const zone = join(folder, `zone-${index}`);
      await mkdir(zone);
      const part = ['--case', 'boundary', '--scope', '2', '--histories', '0'];
      const { code, stdout } = await scd2check(zone, ['--reporter', 'json:-', ...part, WRONG], { TZ });
      expect(code).toBe(1);
      findings.push((JSON.parse(stdout) as Report).findings);
    }
    expect(findings[0]).not.toEqual([]);
    expect(findings[1]).toEqual(findings[0]);
    expect(findings[2]).toEqual(findings[0]);
  });

  test('can be run twice at once in one folder', async () => {
    const both = await Promise.all([
      run(...SHORT, '--reporter', 'json:twice.json', RIGHT),
      run(...SHORT, '--reporter', 'json:twice.json', RIGHT),
    ]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    const { run: last } = await reportIn('twice.json');
    const runs = await readdir(join(folder, '.scd2check', 'runs'));
    expect(runs).toContain(last.id);
  });
});

describe('input that the contract excludes', () => {
  const daily = (guard: string) => `-- scd2check:contract daily-merge
-- scd2check:key nk INTEGER
-- scd2check:tracked attr
${guard}
UPDATE dimension AS d SET valid_to = :as_of, is_current = false FROM batch AS b
WHERE d.nk = b.nk AND d.is_current AND d.attr IS DISTINCT FROM b.attr;
INSERT INTO dimension (nk, attr, valid_from, valid_to, is_current)
SELECT b.nk, b.attr, :as_of, NULL, true FROM batch AS b ANTI JOIN dimension AS d ON d.nk = b.nk AND d.is_current;`;
  const illegal = async (script: string) => {
    await writeFile(join(folder, 'daily.sql'), script);
    const none = ['--no-cases', '--scope', '0', '--histories', '0'];
    const { code } = await run('daily.sql', ...none, '--illegal', '--reporter', 'json:illegal.json');
    const report = await reportIn('illegal.json');
    return {
      code,
      verdict: report.verdict,
      outcomes: new Map(report.illegal!.map((one) => [one.words, one])),
    };
  };

  test('fails a run in which it breaks the table, and says which', async () => {
    const { code, verdict, outcomes } = await illegal(daily(''));
    expect([code, verdict]).toEqual([1, 'fail']);
    expect(outcomes.get('a row with NULL in its key')).toMatchObject({
      outcome: 'broken',
      detail: 'key-not-null',
    });
    expect(outcomes.get('a batch with instants before the latest that arrived')).toMatchObject({
      field: 'late',
    });
  });

  test('may be refused, which changes nothing', async () => {
    const refuses = `SELECT error('rejected: late') FROM (SELECT max(valid_from) AS latest FROM dimension) WHERE latest >= CAST(:as_of AS DATE);
SELECT error('rejected: no key, or twice') FROM batch GROUP BY nk HAVING nk IS NULL OR count(*) > 1;`;
    const { code, verdict, outcomes } = await illegal(daily(refuses));
    expect([...outcomes.values()].map(({ outcome }) => outcome)).toEqual(
      Array(outcomes.size).fill('refused'),
    );
    expect([code, verdict, outcomes.size > 3]).toEqual([0, 'pass', true]);
  });

  test('is broken by an answer that cannot be read', async () => {
    const text = daily('').replace(
      'SELECT b.nk, b.attr, :as_of',
      "SELECT b.nk, b.attr, CASE WHEN b.nk IS NULL THEN 'soon' ELSE CAST(:as_of AS VARCHAR) END",
    );
    const { code, outcomes } = await illegal(
      `-- scd2check:setup\nCREATE TABLE dimension (nk INTEGER, attr VARCHAR, valid_from VARCHAR, valid_to DATE, is_current BOOLEAN);\n-- scd2check:load\n${text}`,
    );
    const { outcome, detail } = outcomes.get('a row with NULL in its key')!;
    expect([code, outcome]).toEqual([1, 'broken']);
    expect(detail).toContain('`valid_from` holds `soon`, which is not an instant');
  });

  test('is not sent unless asked for', async () => {
    await run(RIGHT, ...SHORT, '--reporter', 'json:legal.json');
    expect((await reportIn('legal.json')).illegal).toBeNull();
  });
});

describe('Ctrl-C', () => {
  const SLOW: Record<string, string> = {
    'slow.mjs': 'export default () => { console.error("begun"); for (;;); };',
    'slow.py': 'def apply_scd2(state, rows, keys, as_of):\n    while True: pass\n',
    'slow-plain.py': 'import json, sys\nwhile json.load(sys.stdin)["rows"]: pass\nprint("[]")\n',
  };
  beforeAll(async () => {
    for (const [name, source] of Object.entries(SLOW)) await writeFile(join(folder, name), source);
  });

  test.each([
    ['a function', ['slow.mjs']],
    ['a Python file', ['slow.py']],
    ['a command', ['--', 'python3', 'slow-plain.py']],
  ])('in the middle of %s exits 130 with a summary, and leaves no process', async (_, args) => {
    const { child, ended } = start(folder, args);
    const runs = await firstRun();
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    expect(runs).toBe(true);
    expect(unwrapped(stdout)).toContain('interrupted: Interrupted before all was run.');
    expect(stdout).toContain('INCONCLUSIVE');
    expect(stderr).toBe('');
    expect(code).toBe(130);
    expect(await leftOvers(folder)).toEqual([]);
  });

  test('before an implementation has come up exits 130 at once, and leaves no process', async () => {
    await writeFile(join(folder, 'sleeps.mjs'), 'for (;;);');
    const { child, ended } = start(folder, ['sleeps.mjs']);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(stderr).toContain('Interrupted before the implementation had come up');
    expect(code).toBe(130);
    expect(await leftOvers(folder)).toEqual([]);
  });

  /** Waits until a run has begun: it writes its folder before it sends anything. */
  async function firstRun(): Promise<boolean> {
    const runs = join(folder, '.scd2check', 'runs');
    const before = (await readdir(runs).catch(() => [])).length;
    for (let tries = 0; tries < 200; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      if ((await readdir(runs).catch(() => [])).length > before) {
        await new Promise((resolve) => setTimeout(resolve, 1500));
        return true;
      }
    }
    return false;
  }
});

test('several implementations have report files of their own', async () => {
  const config = { implementations: [RIGHT, WRONG], reporters: ['json:reports/run.json'] };
  await writeFile(join(folder, 'several.config.json'), JSON.stringify(config));
  const { code } = await run('--config', 'several.config.json', ...SHORT, '--quiet');
  expect(code).toBe(1);
  const files = (await readdir(join(folder, 'reports'))).sort();
  expect(files).toEqual([
    expect.stringMatching(/^run-.*hard-delete\.json$/),
    expect.stringMatching(/^run-.*right\.json$/),
  ]);
  const verdicts = await Promise.all(
    files.map(async (file) => (await reportIn(join('reports', file))).verdict),
  );
  expect(verdicts).toEqual(['fail', 'pass']);
});
