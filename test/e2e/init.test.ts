import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scd2check, unwrapped } from './bin.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scd2check-init-'));
});
afterAll(() => rm(folder, { recursive: true }));

const SHORT = ['--scope', '1', '--histories', '20', '--quiet'];

describe('init', () => {
  test.each(['sql', 'typescript', 'python'])('writes a starter in %s that passes', async (kind) => {
    const { code, stdout } = await scd2check(folder, ['init', kind, '--kind', kind, '--ci', 'none']);
    expect(code).toBe(0);
    expect(stdout).toContain(`cd ${kind}`);
    const run = await scd2check(join(folder, kind), SHORT);
    expect(run.stdout).toMatch(/^PASS {2}dim_customer\.\w+: every selected check was exercised and held\n$/);
  });

  test('writes a configuration with what flags declare, and a workflow', async () => {
    const flags = ['--set', 'late=never', '--ci', 'gitlab'];
    expect((await scd2check(folder, ['init', 'declared', ...flags])).code).toBe(0);
    const place = join(folder, 'declared');
    expect((await readdir(place)).sort()).toEqual([
      '.gitignore',
      '.gitlab-ci.yml',
      'dim_customer.sql',
      'scd2check.config.json',
    ]);
    const config = JSON.parse(await readFile(join(place, 'scd2check.config.json'), 'utf8'));
    expect(config).toEqual({
      implementations: ['dim_customer.sql'],
      contract: { preset: 'strict', late: 'never' },
    });
    expect(await readFile(join(place, '.gitlab-ci.yml'), 'utf8')).toContain('junit: scd2check.xml');
    expect((await scd2check(place, SHORT)).code).toBe(0);
  });

  test('overwrites nothing, and writes nothing where it would', async () => {
    const place = join(folder, 'taken');
    await mkdir(place);
    await writeFile(join(place, 'dim_customer.sql'), 'mine');
    await writeFile(join(place, '.gitignore'), 'dist');
    const { code, stderr } = await scd2check(place, ['init']);
    expect(code).toBe(2);
    expect(unwrapped(stderr)).toContain('`dim_customer.sql` is there already, and nothing is overwritten');
    expect((await readdir(place)).sort()).toEqual(['.gitignore', 'dim_customer.sql']);
    expect(await readFile(join(place, '.gitignore'), 'utf8')).toBe('dist');
  });

  test('adds a line to a .gitignore, and keeps the others', async () => {
    const place = join(folder, 'ignoring');
    await mkdir(place);
    await writeFile(join(place, '.gitignore'), 'dist');
    await scd2check(place, ['init', '--ci', 'none']);
    expect(await readFile(join(place, '.gitignore'), 'utf8')).toBe('dist\n.scd2check/\n');
  });

  test.each([
    [['--kind', 'pyton'], 'Did you mean `python`?'],
    [['--ci', 'jenkins'], 'it is one of github, gitlab, none'],
    [['--contract', 'strikt'], 'Did you mean `strict`?'],
    [['--set', 'late=nevr'], '`nevr`'],
    [['a', 'b'], 'takes one folder'],
  ])('%o is wrong usage, and nothing is written', async (args, message) => {
    const place = await mkdtemp(join(folder, 'wrong-'));
    const { code, stderr } = await scd2check(place, ['init', ...args]);
    expect(code).toBe(2);
    expect(unwrapped(stderr)).toContain(message);
    expect(await readdir(place)).toEqual([]);
  });
});

describe('help', () => {
  test('of a command has its flags and examples, and no others', async () => {
    const { stdout } = await scd2check(folder, ['compare', '--help']);
    expect(stdout).toContain('scd2check compare old.parquet new.parquet');
    expect(stdout).toContain('--examples <n>');
    expect(stdout).not.toContain('--histories');
  });

  test('a flag of another command is refused, with the commands that it belongs to', async () => {
    const { code, stderr } = await scd2check(folder, ['audit', 'x.parquet', '--histories', '3']);
    expect(code).toBe(2);
    expect(unwrapped(stderr)).toContain('`--histories` is no flag of `audit`, but of `run`');
  });
});

describe('completion', () => {
  test('of bash offers commands, and the flags of each', async () => {
    const { stdout } = await scd2check(folder, ['completion', 'bash']);
    const offered = (...words: string[]) => {
      const typed = words.map((word) => `'${word}'`).join(' ');
      const script = `${stdout}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _scd2check; echo "\${COMPREPLY[@]}"`;
      return spawnSync('bash', ['-c', script], { encoding: 'utf8', cwd: join(folder, 'sql') }).stdout.trim();
    };
    expect(offered('scd2check', 'pro')).toBe('probe');
    expect(offered('scd2check', 'audit', '--fact-')).toBe('--fact-key --fact-time');
    expect(offered('scd2check', '--hist')).toBe('--histories');
    expect(offered('scd2check', 'probe', 'dim')).toBe('dim_customer.sql');
  });

  test.each(['zsh', 'fish'])('of %s names every command and flag', async (shell) => {
    const { code, stdout } = await scd2check(folder, ['completion', shell]);
    expect(code).toBe(0);
    for (const word of ['probe', 'audit', 'compare', 'histories', 'fact-key']) expect(stdout).toContain(word);
  });

  test('of another shell is wrong usage', async () => {
    const { code, stderr } = await scd2check(folder, ['completion', 'bsh']);
    expect(code).toBe(2);
    expect(unwrapped(stderr)).toContain('Did you mean `bash`?');
  });
});
