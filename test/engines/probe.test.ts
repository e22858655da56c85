import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { ProbeReport } from '../../src/probe/report.ts';
import { ROOT } from './engine.ts';
import { environment, hasPython } from './environment.ts';

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** What a probe says of each field that it could observe. */
async function fieldsOf(python: string, adapter: string): Promise<Readonly<Record<string, string | null>>> {
  const argv = [join(ROOT, 'bin/scd2check.js'), 'probe', adapter, '--reporter', 'json'];
  const env = { ...process.env, SCD2CHECK_PYTHON: python };
  const stdout = await new Promise<string>((resolve) => {
    execFile(process.execPath, argv, { cwd: file('.'), env, maxBuffer: 2 ** 26 }, (_, text) => resolve(text));
  });
  const { fields } = JSON.parse(stdout) as ProbeReport;
  const seen = fields.filter(({ status }) => status !== 'not-observable');
  return Object.fromEntries(seen.map(({ field, option }) => [field, option]));
}

// The adapters quote, decision by decision, what the documentation of each package says.
describe.skipIf(!hasPython())('a probe', () => {
  test('finds of pygrametl 2.9 what its documentation says', async () => {
    const python = await environment('pygrametl', file('pygrametl/requirements.txt'));
    expect(await fieldsOf(python, file('pygrametl/adapter.py'))).toMatchObject({
      feed: 'delta',
      grain: 'microsecond',
      end: 'exclusive',
      openMarker: 'null',
      deletes: 'close',
      // "only the latest one is updated"
      untracked: 'current',
      // It compares with "the newest version", and nothing is promised of others.
      late: 'never',
      sameInstant: 'never',
    });
  });

  test('finds of scduck 0.1.1 what its documentation says, and the two promises that it breaks', async () => {
    const python = await environment('scduck-locked', file('scduck/requirements-locked.txt'));
    expect(await fieldsOf(python, file('scduck/adapter.py'))).toMatchObject({
      feed: 'snapshot',
      grain: 'day',
      end: 'exclusive',
      openMarker: 'null',
      deletes: 'close',
      late: 'apply',
      // A snapshot that repeated a state is forgotten when a late one falls before it (scduck.test.ts).
      lateEvidence: 'dimension',
      // Two states of one date that become equal again are not joined.
      sameInstant: 'never',
    });
  });
});
