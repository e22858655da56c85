import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
      path = join(folder, 'stamps.py');
      writeFileSync(path, STAMPS);
    });
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
      const run = outcome(await check('python3', path, '--set', 'clock=moved', '--set', 'grain=microsecond'));
      expect(run.verdict).toBe('inconclusive');
      expect(run.problems.join()).toContain("a program's clock shows whole seconds");
    });
  },
);
