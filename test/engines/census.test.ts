import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkRow } from '../../census/check-row.ts';
import { ENTRIES } from '../../census/entries.ts';
import type { Entry, Row } from '../../census/entry.ts';
import { prepare } from '../../census/settings.ts';
import type { ProbeReport } from '../../src/probe/report.ts';
import { ROOT } from './engine.ts';
import { hasPython } from './environment.ts';
import { hasServers } from './servers.ts';

const rows = ENTRIES.flatMap((entry) => entry.rows.map((row) => [row.id, entry, row] as const));

/** `npm run census -- --all` runs the others, and more histories. */
describe.skipIf(!hasPython() || !hasServers())('the census, by the named cases', () => {
  test.each(rows.filter(([, , { inTests }]) => inTests))('%s is as its entry says', async (_, entry, row) => {
    const ready = await prepare(entry, row.setting);
    try {
      expect((await checkRow(entry, row, ready, { casesAlone: true })).differences).toEqual([]);
    } finally {
      await ready.stop();
    }
  });
});

/** What a probe says of each field that it could observe. */
async function probed(id: string): Promise<Readonly<Record<string, string | null>>> {
  const [, entry, row] = rows.find(([name]) => name === id) as [string, Entry, Row];
  const { env } = await prepare(entry, row.setting);
  const adapter = join(ROOT, 'census', entry.id, row.adapter);
  const argv = [join(ROOT, 'bin/scd2check.js'), 'probe', adapter, '--reporter', 'json'];
  const stdout = await new Promise<string>((resolve) => {
    const options = { cwd: import.meta.dirname, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
    execFile(process.execPath, argv, options, (_, text) => resolve(text));
  });
  const { fields } = JSON.parse(stdout) as ProbeReport;
  const seen = fields.filter(({ status }) => status !== 'not-observable');
  return Object.fromEntries(seen.map(({ field, option }) => [field, option]));
}

describe.skipIf(!hasPython())('a probe', () => {
  test('finds of pygrametl 2.9 what its documentation says', async () => {
    expect(await probed('pygrametl')).toMatchObject({
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
    expect(await probed('scduck-developed')).toMatchObject({
      feed: 'snapshot',
      grain: 'day',
      end: 'exclusive',
      openMarker: 'null',
      deletes: 'close',
      late: 'apply',
      // A snapshot that repeated a state is forgotten when a late one falls before it.
      lateEvidence: 'dimension',
      // Two states of one date that become equal again are not joined.
      sameInstant: 'never',
    });
  });
});
