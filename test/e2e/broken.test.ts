import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/runner/report.ts';

const run = promisify(execFile);
const folder = join(import.meta.dirname, '..', 'broken');

// In a folder of its own: what an earlier run found there is tried first.
const cwd = mkdtempSync(join(tmpdir(), 'scd2check-broken-'));
afterAll(() => rmSync(cwd, { recursive: true }));

/** What the harness says of an implementation, as data. */
async function report(path: string): Promise<{ code: number; report: Report }> {
  const bin = join(import.meta.dirname, '..', '..', 'bin', 'scd2check.js');
  const outcome = await run(
    process.execPath,
    [bin, path, '--scope', '0', '--histories', '0', '--reporter', 'json:-'],
    {
      cwd,
      maxBuffer: 1e9,
    },
  ).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout }),
  );
  return { code: outcome.code, report: JSON.parse(outcome.stdout) };
}

describe('a script with one defect', () => {
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  test.each(scripts)('%s exits 1 and leads with the check that it declares', async (name) => {
    const path = join(folder, name);
    const wanted = /scd2check-leads: ([a-z-]+)/.exec(readFileSync(path, 'utf8'))![1];
    const { code, report: found } = await report(path);
    expect(code).toBe(1);
    expect(found.findings[0]?.check).toBe(wanted);
  });
});
