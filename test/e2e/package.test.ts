import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
async function run(argv: readonly string[], cwd: string): Promise<Output> {
  const [program, ...args] = argv;
  // Without what npm tells its scripts (this test may be one), and without this checkout's own tools.
  const npm = Object.keys(process.env).filter((name) => /^npm_/i.test(name));
  const env = { ...process.env, ...Object.fromEntries(npm.map((name) => [name, undefined])) };
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

test('publint finds nothing', async () => {
  const { stdout } = await run(
    [tool('publint'), '--strict', '--pack', 'false', join('node_modules', 'scd2check')],
    folder,
  );
  expect(stdout).toContain('All good!');
});
