import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { defaultLoaders } from 'cosmiconfig';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf, inOrder } from '../docs/blocks.ts';
import './bin.ts';

/** The package as it would be published, installed where there is nothing else. */
const ROOT = join(import.meta.dirname, '..', '..');
const EXAMPLES = join(ROOT, 'examples');
/** Enough to see that it runs. */
const SHORT = ['--scope', '0', '--histories', '0', '--case', 'no-change,segment-change,deleted'];

const QUIETLY = ['--no-audit', '--no-fund', '--prefer-offline'];

let folder: string;
let tarball: string;
let packed: readonly string[];
beforeAll(async () => {
  const place = await mkdtemp(join(tmpdir(), 'scd2check-package-'));
  folder = join(place, 'app');
  await mkdir(folder);
  // Without the scripts, which would build anew below tests that run.
  const { stdout } = await run(
    ['npm', 'pack', '--ignore-scripts', '--json', '--pack-destination', place],
    ROOT,
  );
  const [{ filename, files }] = JSON.parse(stdout);
  packed = files.map(({ path }: { path: string }) => path);
  tarball = join(place, filename);
  await writeFile(join(folder, 'package.json'), '{"type": "module", "private": true}\n');
  await run(['npm', 'install', '--omit=dev', ...QUIETLY, tarball], folder);
}, 300_000);
afterAll(() => rm(join(folder, '..'), { recursive: true }));

interface Output {
  readonly code: number;
  readonly stdout: string;
}

/** What fails shows its output: that is the message of the error. */
async function run(argv: readonly string[], cwd: string, more: NodeJS.ProcessEnv = {}): Promise<Output> {
  const [program, ...args] = argv;
  // Without what npm tells its scripts (this test may be one), and without this checkout's own tools.
  const npm = Object.keys(process.env).filter((name) => /^npm_/i.test(name));
  const env = { ...process.env, ...more, ...Object.fromEntries(npm.map((name) => [name, undefined])) };
  env['PATH'] = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((path) => !path.includes('node_modules'))
    .join(delimiter);
  try {
    const { stdout } = await promisify(execFile)(program!, args, { cwd, env, maxBuffer: 1e8 });
    return { code: 0, stdout };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== 'number') throw error;
    throw Object.assign(new Error(`${argv.join(' ')} exited with ${code}:\n${stdout}${stderr}`), { code });
  }
}

const tool = (name: string) => join(ROOT, 'node_modules', '.bin', name);

test('it holds what it needs, and no tests', () => {
  for (const path of [
    'bin/scd2check.js',
    'dist/src/index.d.ts',
    'kits/python/scd2check/runner.py',
    'LICENSE',
  ]) {
    expect(packed).toContain(path);
  }
  expect(packed.filter((path) => /(^|[/_.])tests?[/_.]|__pycache__|\.scd2check/.test(path))).toEqual([]);
});

test('npx scd2check checks a SQL script, a module and a Python file there', async () => {
  for (const name of ['observation-log.sql', 'observation-log.ts', 'observation-log.py']) {
    await copyFile(join(EXAMPLES, name), join(folder, name));
    const { stdout } = await run(['npx', 'scd2check', `./${name}`, ...SHORT, '--quiet'], folder);
    expect(stdout).toBe(`PASS  ${name}: every selected check was exercised and held\n`);
  }
  expect(await readdir(folder)).toContain('.scd2check');
});

test('a configuration that imports from scd2check is read where nothing is installed', async () => {
  const elsewhere = join(folder, '..', 'elsewhere');
  await mkdir(elsewhere);
  await copyFile(join(EXAMPLES, 'observation-log.sql'), join(elsewhere, 'load.sql'));
  await writeFile(
    join(elsewhere, 'scd2check.config.ts'),
    `import { defineConfig } from 'scd2check';\nexport default defineConfig({ implementations: ['load.sql'] });\n`,
  );
  const bin = join(folder, 'node_modules', 'scd2check', 'bin', 'scd2check.js');
  const { stdout } = await run([process.execPath, bin, ...SHORT, '--quiet'], elsewhere);
  expect(stdout).toBe('PASS  load.sql: every selected check was exercised and held\n');
});

test('its types resolve', async () => {
  const compile = (lines: string) => {
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023'];
    return writeFile(join(folder, 'use.ts'), lines).then(() =>
      run([tool('tsc'), ...options, 'use.ts'], folder),
    );
  };
  await compile(`import { defineConfig, type Report } from 'scd2check';
export default defineConfig({ timeout: '3s' }); export const passed = (report: Report) => report.verdict === 'pass';`);
  await compile(`import { check } from 'scd2check';
export const { verdict } = await check((state: number[] | null, rows: { id: number }[]) => rows, { scope: 2 });`);
  // They are types indeed, and not `any`.
  await expect(
    compile(`import { defineConfig } from 'scd2check';
export default defineConfig({ timeout: 3 });`),
  ).rejects.toThrow("Type 'number' is not assignable to type 'string'");
});

test('examples/vitest makes tests of a function, and of one that is wrong', async () => {
  const project = join(folder, '..', 'vitest');
  await cp(join(EXAMPLES, 'vitest'), project, { recursive: true });
  await run(['npm', 'install', '--no-save', ...QUIETLY, tarball], project);
  const { stdout } = await run(['npx', 'vitest', 'run', '--reporter=json'], project);
  const { numFailedTests, numPassedTests, numPendingTests } = JSON.parse(stdout);
  expect({ numFailedTests, numPendingTests }).toEqual({ numFailedTests: 0, numPendingTests: 0 });
  expect(numPassedTests).toBeGreaterThan(50);

  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--allowImportingTsExtensions',
    '--module',
    'nodenext',
  ];
  await run([tool('tsc'), ...options, 'dim-customer.test.ts'], project);

  const solution = join(project, 'dim-customer.ts');
  const right = await readFile(solution, 'utf8');
  await writeFile(solution, right.replace('valid_to: asOf, is_current: false', 'valid_to: asOf'));
  const wrong = run(['npx', 'vitest', 'run', '--no-color', '-t', 'segment-change'], project);
  // What failed, its check, and the line of the suite.
  await expect(wrong).rejects.toThrow(
    /FAIL .*segment-change.*check: current-flag.*❯ dim-customer\.test\.ts:5:1/s,
  );
});

/** Word for word, and with what needs an installed package: blocks marked `package` are run here only. */
describe('docs/guides/javascript.md', () => {
  const guide = 'docs/guides/javascript.md';
  const blocks = [...blocksOf(guide, 'test'), ...blocksOf(guide, 'package')].sort((a, b) => a.line - b.line);
  let project: string;
  let printed = '';

  beforeAll(async () => {
    project = join(folder, '..', 'javascript');
    await mkdir(project);
    await copyFile(join(EXAMPLES, 'vitest', 'package.json'), join(project, 'package.json'));
    await run(['npm', 'install', '--no-save', ...QUIETLY, tarball], project);
  }, 300_000);

  test.each(blocks.map((block) => [`line ${block.line}: ${block.marker}`, block] as const))(
    '%s',
    async (_, { marker, text }) => {
      const [, file] = /^file (\S+)$/.exec(marker) ?? [];
      const [command, exit = '0'] = /^run(?: exit=(\d+))?$/.exec(marker) ?? [];
      if (file !== undefined) await writeFile(join(project, file), text);
      else if (command === undefined) expect(printed).toMatch(inOrder(text));
      else {
        const ended = await run(['bash', '-c', `set -e\n${text}`], project, { NO_COLOR: '1' }).catch(
          (error: Error & { code: number }) => ({ code: error.code, stdout: error.message }),
        );
        expect(ended.code, ended.stdout).toBe(Number(exit));
        printed = ended.stdout;
      }
    },
  );
});

test('publint finds nothing', async () => {
  const { stdout } = await run(
    [tool('publint'), '--strict', '--pack', 'false', join('node_modules', 'scd2check')],
    folder,
  );
  expect(stdout).toContain('All good!');
});

/** What the guide to CI gives people to copy: its commands, as a runner runs them, and the files that it takes away. */
describe('docs/guides/ci.md', () => {
  interface Step {
    readonly run?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly with?: { readonly path?: string };
  }
  interface Job {
    readonly steps?: readonly Step[];
    readonly script?: readonly string[];
    readonly artifacts?: { readonly paths?: readonly string[]; readonly reports: Record<string, string> };
  }
  const parsed = (text: string) => defaultLoaders['.yaml']('ci.yaml', text) as Record<string, unknown>;
  const jobsOf = (text: string): readonly Job[] =>
    Object.values(
      (parsed(text)['jobs'] as Record<string, Job> | undefined) ?? (parsed(text) as Record<string, Job>),
    );
  const scripts = ({ steps, script }: Job) => script ?? (steps ?? []).flatMap((step) => step.run ?? []);
  const taken = ({ steps, artifacts }: Job) => [
    ...(steps ?? []).flatMap((step) => step.with?.path?.trim().split(/\s+/) ?? []),
    ...(artifacts?.paths ?? []),
    ...Object.values(artifacts?.reports ?? {}),
  ];

  beforeAll(async () => {
    await copyFile(join(EXAMPLES, 'observation-log.sql'), join(folder, 'my-impl.sql'));
    const [table] = blocksOf('docs/guides/audit.md', 'test').filter(({ marker }) => marker.endsWith('.csv'));
    await writeFile(join(folder, 'dim_customer.csv'), table!.text);
    const known = ['--key', 'customer_id', '--tracked', 'segment', '--write-baseline', 'known.txt'];
    await expect(
      run(['npx', 'scd2check', 'audit', 'dim_customer.csv', ...known], folder),
    ).rejects.toMatchObject({
      code: 1,
    });
  });

  const pipelines = blocksOf('docs/guides/ci.md', 'pipeline').filter(
    ({ marker }) => !marker.endsWith(' steps'),
  );
  test.each(pipelines.map((block) => [`line ${block.line}: ${block.marker}`, block] as const))(
    '%s',
    async (_, { text }) => {
      const jobs = jobsOf(text);
      expect(jobs).not.toHaveLength(0);
      for (const job of jobs) {
        const [install, ...commands] = scripts(job);
        // That is what was done above, with the packed package.
        expect(install).toBe('npm ci');
        expect(commands).not.toHaveLength(0);
        for (const file of taken(job)) await rm(join(folder, file), { force: true });
        for (const command of commands)
          await run(['bash', '-eo', 'pipefail', '-c', command], folder, { DIMENSION: 'dim_customer.csv' });
        expect(await readdir(folder)).toEqual(expect.arrayContaining(taken(job)));
      }
    },
    120_000,
  );
});
