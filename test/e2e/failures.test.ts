import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../src/runner/report.ts';
import { type Ended, leftOvers, scd2check, start, unwrapped } from './bin.ts';

const BROKEN = join(import.meta.dirname, '..', 'broken', 'null-compare.sql');
/** The small scope finds it alone. */
const SHORT = ['--no-cases', '--scope', '2', '--histories', '0'];
/** Nothing but what is stored, and the project's own cases. */
const NOTHING_NEW = ['--scope', '0', '--histories', '0'];

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'scd2check-failures-')));
  await cp(BROKEN, join(folder, 'load.sql'));
});
afterEach(() => rm(folder, { recursive: true }));

const run = (...args: string[]): Promise<Ended> => scd2check(folder, args);

/** A run with its report. */
async function report(...args: string[]): Promise<Report> {
  const { stdout, stderr } = await run('load.sql', ...args, '--reporter', 'json:-');
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

async function edit(from: string, to: string): Promise<void> {
  const path = join(folder, 'load.sql');
  const text = await readFile(path, 'utf8');
  expect(text).toContain(from);
  await writeFile(path, text.replace(from, to));
}

const fix = () => edit('<> b.customer_segment', 'IS DISTINCT FROM b.customer_segment');

async function stored(...path: string[]): Promise<string[]> {
  const names = await readdir(join(folder, '.scd2check', 'failures', ...path)).catch(() => []);
  return names.filter((name) => name !== 'fixed').sort();
}

async function temporaryRuns(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith('scd2check-run-'));
}

describe('what a run finds', () => {
  test('is stored, is tried first by the next run, and is put aside when it is fixed', async () => {
    const first = await report(...SHORT);
    const ids = first.findings.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(await stored()).toEqual(ids.map((id) => `${id}.json`).sort());
    expect(first.findings.map(({ replay }) => replay)).toEqual(ids.map((id) => `npx scd2check replay ${id}`));

    const second = await report('--no-cases', ...NOTHING_NEW);
    expect(second.verdict).toBe('fail');
    expect(second.stored.map(({ outcome }) => outcome)).toEqual(ids.map(() => 'fails'));
    expect(second.findings.map(({ id, feed }) => [id, feed]).sort()).toEqual(
      ids.map((id) => [id, `stored/${id}`]).sort(),
    );
    // What is found again is not stored again.
    expect((await report(...SHORT)).findings.map(({ id }) => id).sort()).toEqual([...ids].sort());

    await fix();
    const { code, stdout } = await run('load.sql', ...SHORT);
    expect(code).toBe(0);
    expect(unwrapped(stdout)).toContain(`${ids.length} fixed (`);
    expect(await stored()).toEqual([]);
    expect(await stored('fixed')).toEqual(ids.map((id) => `${id}.json`).sort());
    expect((await report(...SHORT)).stored).toEqual([]);
  });

  test('is told of where nothing can be written, and the report says so', async () => {
    // Even root cannot make a folder below a file.
    await writeFile(join(folder, '.scd2check'), '');
    const before = await temporaryRuns();
    const { verdict, findings, notes } = await report(...SHORT);
    expect(verdict).toBe('fail');
    expect(findings.length).toBeGreaterThan(0);
    const why = notes.filter((note) => note.startsWith('Nothing was stored, because `'));
    expect(why).toHaveLength(1);
    expect(why[0]).toContain('ENOTDIR');
    expect(await temporaryRuns()).toEqual(before);
  });

  test('is told of where the run can be kept, but not what failed in it', async () => {
    await mkdir(join(folder, '.scd2check'));
    await writeFile(join(folder, '.scd2check', 'failures'), '');
    const { verdict, notes } = await report(...SHORT);
    expect(verdict).toBe('fail');
    expect(notes.join('\n')).toContain('Nothing was stored, because `');
  });

  test('is a feed file too', async () => {
    const { findings } = await report(...SHORT);
    const file = join('.scd2check', 'failures', `${findings[0]!.id}.json`);
    const again = await report('--feed', file);
    expect(again.findings.map(({ id }) => id)).toEqual([findings[0]!.id]);
    expect(again.findings[0]!.replay).toBe(`npx scd2check load.sql --feed ${file}`);
    expect((await run('expected', file)).code).toBe(0);
  });
});

describe('replay', () => {
  test('says fixed, still fails or cannot replay, and exits by it', async () => {
    const [finding] = (await report(...SHORT)).findings;
    const { id } = finding!;
    const failing = await run('replay', id);
    expect(failing.stdout).toContain(`✗ still fails: ${id} (load.sql)`);
    expect(failing.stdout).toContain(`✗ ${finding!.check}:`);
    expect(failing.stdout).toContain(`npx scd2check replay ${id}`);
    expect(failing.code).toBe(1);

    await fix();
    const all = await run('replay');
    expect(all.stdout).toContain(`✓ fixed: ${id} (load.sql)`);
    expect(all.code).toBe(0);
    expect((await run('replay')).stdout).toContain('There is no stored counterexample');

    // Under its id it is found among the fixed ones, too, and is back when it fails again.
    await cp(BROKEN, join(folder, 'load.sql'));
    expect((await run('replay', id, '--quiet')).code).toBe(1);
    expect(await stored()).toContain(`${id}.json`);

    await edit('-- scd2check:late never', '-- scd2check:late never\n-- scd2check:tracked segment');
    const gone = await run('replay', id);
    expect(unwrapped(gone.stdout)).toContain(`cannot replay: ${id} (load.sql): The contract names no column`);
    expect(gone.code).toBe(3);

    await rm(join(folder, 'load.sql'));
    const nothing = await run('replay', join('.scd2check', 'failures', `${id}.json`));
    expect(unwrapped(nothing.stdout)).toContain('There is no load.sql');
    expect(nothing.code).toBe(3);
  });

  test('cannot replay what the contract does not allow; runs keep it and say so', async () => {
    await edit('-- scd2check:late never', '-- scd2check:late apply');
    const { findings } = await report(
      '--no-cases',
      '--scope',
      '2',
      '--histories',
      '0',
      '--set',
      'late=apply',
    );
    const late = findings.filter(({ counterexample }) => counterexample.batches.some((batch) => batch.late));
    expect(late.length).toBeGreaterThan(0);
    const { id } = late[0]!;
    await edit('-- scd2check:late apply', '-- scd2check:late never');
    const replayed = await run('replay', id, '--set', 'late=never');
    expect(unwrapped(replayed.stdout)).toContain(
      `cannot replay: ${id} (load.sql): The contract does not allow`,
    );
    expect(replayed.code).toBe(3);
    // The flags that it was found with count, where no others are given.
    expect((await run('replay', id, '--quiet')).code).toBe(1);
    const { code, stdout } = await run('load.sql', '--no-cases', ...NOTHING_NEW, '--check', late[0]!.check);
    expect(unwrapped(stdout)).toContain(`${id} cannot be replayed: The contract does not allow its feed.`);
    expect(code).toBe(0);
    expect(await stored()).toContain(`${id}.json`);
  });

  test('names what was probably meant, and a damaged file', async () => {
    const [finding] = (await report(...SHORT)).findings;
    const { code, stderr } = await run('replay', `${finding!.id}0`);
    expect(stderr).toContain(`Did you mean \`${finding!.id}\`?`);
    expect(code).toBe(2);
    await fix();
    await writeFile(join(folder, '.scd2check', 'failures', 'damaged.json'), '{');
    const damaged = await run('replay');
    expect(unwrapped(damaged.stdout)).toContain('damaged.json` cannot be read');
    expect(damaged.code).toBe(3);
    const { notes } = await report('--no-cases', ...NOTHING_NEW);
    expect(notes.join()).toContain('damaged.json` cannot be read and is passed over');
  });

  test('--promote makes it a case of the project, which every run executes', async () => {
    const [finding] = (await report(...SHORT)).findings;
    const { id } = finding!;
    expect((await run('replay', '--promote', id)).code).toBe(0);
    expect(await stored()).not.toContain(`${id}.json`);
    const { cases, findings } = await report(...NOTHING_NEW, '--case', `no-change,project/${id}`);
    expect(cases.map((one) => [one.id, one.verdict])).toEqual([
      ['no-change', 'pass'],
      [`project/${id}`, 'fail'],
    ]);
    expect(findings[0]!.replay).toBe(`npx scd2check load.sql --case project/${id}`);
    await fix();
    const fixed = await report(...NOTHING_NEW);
    expect(fixed.cases.at(-1)).toMatchObject({
      id: `project/${id}`,
      title: finding!.message,
      verdict: 'pass',
    });
    // A contract with other columns has no use for it.
    const other = await report(...NOTHING_NEW, '--case', `project/${id}`, '--set', 'tracked=segment');
    expect(other.cases[0]).toMatchObject({ verdict: 'skipped' });
  });
});

test('`known` accepts findings, and tells when they are gone', async () => {
  const { findings } = await report(...SHORT);
  const known = findings.map(({ id }) => ({ id, reason: 'Mended in the autumn.' }));
  await writeFile(join(folder, 'scd2check.config.json'), JSON.stringify({ known }));
  const accepted = await run('load.sql', ...SHORT);
  expect(accepted.stdout).toContain('PASS');
  expect(unwrapped(accepted.stdout)).toContain('Accepted: Mended in the autumn.');
  expect(accepted.code).toBe(0);
  await fix();
  const gone = await report(...SHORT);
  expect(gone.known).toEqual(known.map((one) => ({ ...one, gone: true })));
  expect(gone.verdict).toBe('pass');
  // A part of a run says nothing of what it did not look for.
  expect((await report(...SHORT)).known).toEqual(known.map((one) => ({ ...one, gone: false })));

  await writeFile(join(folder, 'scd2check.config.json'), JSON.stringify({ known: [{ id: 'content-1' }] }));
  const { code, stderr } = await run('load.sql', ...SHORT);
  expect(stderr).toContain('each with the reason why it is accepted');
  expect(code).toBe(2);
});

describe('nothing is harmed', () => {
  test('by two runs at once in one folder', async () => {
    const both = await Promise.all([run('load.sql', ...SHORT), run('load.sql', ...SHORT)]);
    expect(both.map(({ code }) => code)).toEqual([1, 1]);
    await expectWhole();
    await fix();
    const fixed = await Promise.all([run('load.sql', ...SHORT), run('replay')]);
    expect(fixed.map(({ code }) => code)).toEqual([0, 0]);
    expect(await stored()).toEqual([]);
  });

  test('by Ctrl-C', async () => {
    const { child, ended } = start(folder, ['load.sql']);
    await new Promise((resolve) => setTimeout(resolve, 4000));
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    await expectWhole();
    expect(await leftOvers(folder)).toEqual([]);
  });

  async function expectWhole(): Promise<void> {
    const names = await readdir(join(folder, '.scd2check'), { recursive: true }).catch(() => []);
    expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
    for (const name of await stored())
      JSON.parse(await readFile(join(folder, '.scd2check', 'failures', name), 'utf8'));
  }
});
