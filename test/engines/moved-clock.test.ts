import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declareContract } from '../../src/contract/declare.ts';
import { openImplementation } from '../../src/plugins/open.ts';
import { runClock } from '../../src/repetition/clock.ts';
import { check, outcome } from './engine.ts';

/** A program that stamps what it sees with its own clock. */
const STAMPS = `
import datetime

SCD2CHECK = {"grain": "second", "late": "never"}

def apply_scd2(state, rows, as_of):
    incoming = {row["customer_id"]: row for row in rows}
    versions = []
    for version in state or []:
        if version["valid_to"] is None:
            row = incoming.get(version["customer_id"])
            if row is not None and row["customer_segment"] == version["customer_segment"]:
                del incoming[version["customer_id"]]
            else:
                version = {**version, "valid_to": now(), "is_current": False}
        versions.append(version)
    return versions + [
        {**row, "valid_from": now(), "valid_to": None, "is_current": True} for row in incoming.values()
    ]

def now():
    return datetime.datetime.now().replace(microsecond=0)
`;

async function clock(path: string, declaration: Readonly<Record<string, string>>) {
  const implementation = await openImplementation(path);
  try {
    const lines = Object.entries(declaration).map(([name, value]) => ({ name, value, where: 'test' }));
    const { contract } = declareContract([implementation.declared, lines]);
    return await runClock({
      implementation,
      contract,
      seed: 1,
      deadline: Number.POSITIVE_INFINITY,
      shrinkMs: 30_000,
      stop: () => false,
      replay: (feed) => feed,
    });
  } finally {
    await implementation.close();
  }
}

function hasFaketime(): boolean {
  if (process.env['CI'] === 'true' || process.getuid?.() === 0) return true;
  return readdirSync('/usr/lib').some((name) => existsSync(join('/usr/lib', name, 'faketime')));
}

describe.skipIf(process.platform !== 'linux' || !hasFaketime())(
  'a program that stamps datetime.now()',
  () => {
    let folder = '';
    let path = '';

    beforeAll(() => {
      const isThere = readdirSync('/usr/lib').some((name) => existsSync(join('/usr/lib', name, 'faketime')));
      if (!isThere) {
        execFileSync('apt-get', ['update', '-q'], { stdio: 'ignore' });
        execFileSync('apt-get', ['install', '-q', '-y', '--no-install-recommends', 'faketime'], {
          stdio: 'ignore',
        });
      }
      folder = mkdtempSync(join(tmpdir(), 'scd2check-faketime-'));
      path = write('stamps.py', STAMPS);
    });

    function write(name: string, text: string): string {
      const file = join(folder, name);
      writeFileSync(file, text);
      return file;
    }

    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('is right where libfaketime moves its clock', async () => {
      const run = outcome(await check('python3', path, '--set', 'clock=moved'));
      expect(run).toEqual({ exitCode: 0, verdict: 'pass', problems: [], first: null, others: [] });
    });

    it('is told where it does not', async () => {
      const run = outcome(await check('python3', path));
      expect(run.exitCode).toBe(1);
      expect([run.first, ...run.others].some((one) => one?.endsWith(': clock-injected'))).toBe(true);
    });

    it('is told that the moved clock shows whole seconds', async () => {
      const run = check('python3', path, '--set', 'clock=moved', '--set', 'grain=microsecond');
      await expect(run).rejects.toThrow(/ended with 2.*the clock of a program shows whole seconds/s);
    });

    it('is told that it reads the clock twice, where that ticks', async () => {
      const { findings, whyNot } = await clock(path, { clock: 'moved' });
      expect(whyNot).toBe(null);
      expect(findings.map(({ message }) => message)).toEqual([
        expect.stringContaining('it read the clock twice'),
      ]);
    });

    it('is right where it reads it once', async () => {
      const once = STAMPS.replace('    versions = []', '    at = now()\n    versions = []')
        .replace('"valid_to": now()', '"valid_to": at')
        .replace('"valid_from": now()', '"valid_from": at');
      const { findings, tally } = await clock(write('once.py', once), { clock: 'moved' });
      expect(findings).toEqual([]);
      expect(tally!.exercised).toBeGreaterThan(50);
    });

    it('is told that it filters by the clock, where its stamps are right', async () => {
      const filter = STAMPS.replaceAll(': now()', ': as_of').replace(
        'for row in rows}',
        'for row in rows if as_of.year <= datetime.date.today().year}',
      );
      const { findings, whyNot } = await clock(write('filter.py', filter), {});
      expect(whyNot).toBe(null);
      expect(findings.map(({ message }) => message)).toEqual([
        expect.stringContaining('depends on when it runs'),
      ]);
    });
  },
);
