import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { defaultLoaders } from 'cosmiconfig';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { BIN } from './bin.ts';

/** The scripts of `action.yml`, run as a runner runs them; `npx` is the built command, `gh` writes down what it was asked. */
const ROOT = join(import.meta.dirname, '..', '..');
const ACTION = join(ROOT, 'action.yml');
const action = defaultLoaders['.yaml'](ACTION, readFileSync(ACTION, 'utf8')) as {
  inputs: Record<string, { default: string }>;
  outputs: Record<string, { value: string }>;
  runs: { steps: { name: string; run: string; env: Record<string, string> }[] };
};

const folder = mkdtempSync(join(tmpdir(), 'scd2check-action-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  rmSync(folder, { recursive: true });
  mkdirSync(join(folder, 'bin'), { recursive: true });
  program(
    'npx',
    `while [ "$1" != "scd2check@1.2.3" ]; do shift; done; shift; exec "${process.execPath}" "${BIN}" "$@"`,
  );
  program(
    'gh',
    'printf "%s\\n" "$*" >> "$ASKED"; for last in "$@"; do :; done; case "$*" in *--paginate*) printf "%s" "$EARLIER";; esac',
  );
  writeFileSync(
    join(folder, 'load.sql'),
    readFileSync(join(ROOT, 'examples', 'seeds', 'daily-merge.sql'), 'utf8'),
  );
});

function program(name: string, script: string): void {
  writeFileSync(join(folder, 'bin', name), `#!/bin/bash\n${script}\n`);
  chmodSync(join(folder, 'bin', name), 0o755);
}

function step(name: string, env: Record<string, string>) {
  const { run } = action.runs.steps.find((one) => one.name === name)!;
  return spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`,
      RUNNER_TEMP: folder,
      GITHUB_ACTIONS: 'true',
      GITHUB_OUTPUT: join(folder, 'outputs'),
      GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
      ASKED: join(folder, 'asked'),
      EARLIER: '',
      ...env,
    },
  });
}

const CHECK = {
  IMPLEMENTATION: 'load.sql',
  ARGUMENTS: '--scope\n0\n--histories\n0\n--case\nvalue-to-null\n',
  VERSION: '1.2.3',
  HTML: 'page.html',
  COMMENT: 'true',
};

test('the action checks, fails the job, and leaves page, summary, outputs and comment', () => {
  const { status, stdout, stderr } = step('scd2check', CHECK);
  expect(`${status} ${stderr}`).toMatch(/^1 ::error /m);
  expect(stdout).toContain('FAIL');
  for (const name of ['page.html', 'summary.md', 'scd2check-comment.md'])
    expect(existsSync(join(folder, name)), name).toBe(true);
  const written = readFileSync(join(folder, 'outputs'), 'utf8')
    .split('\n')
    .map((line) => line.split('=')[0]);
  for (const name of Object.keys(action.outputs)) expect(written).toContain(name);
});

test('an input is never code', () => {
  const hostile = '$(touch owned) `touch owned` "; touch owned; "';
  const { status, stderr } = step('scd2check', { ...CHECK, IMPLEMENTATION: hostile, ARGUMENTS: '' });
  expect(status).toBe(2);
  expect(stderr).toContain('touch owned');
  expect(existsSync(join(folder, 'owned'))).toBe(false);
  for (const { run } of action.runs.steps) expect(run).not.toContain('${{');
});

test('the comment is new at first, and updated when its marker is found', () => {
  const comment = { GH_TOKEN: 'x', REPOSITORY: 'team/repo', NUMBER: '7' };
  writeFileSync(join(folder, 'scd2check-comment.md'), '<!-- scd2check: load.sql -->\ntext\n');
  expect(step('comment', comment).status).toBe(0);
  expect(step('comment', { ...comment, EARLIER: '41\n42' }).status).toBe(0);
  const asked = readFileSync(join(folder, 'asked'), 'utf8').split('\n');
  expect(asked[1]).toMatch(
    /--method POST repos\/team\/repo\/issues\/7\/comments --field body=@.*comment\.md$/,
  );
  expect(asked[3]).toMatch(/--method PATCH repos\/team\/repo\/issues\/comments\/41 --field body=@/);
});

test('the scripts are sound bash', () => {
  for (const { run } of action.runs.steps) execFileSync('bash', ['-n'], { input: run });
});
