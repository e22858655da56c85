import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from './engine.ts';
import { hasServers, type Server, startMariadb, startPostgres } from './servers.ts';
import { engineSuite } from './sql-suite.ts';
import { MARIADB, POSTGRES } from './sql-under-test.ts';

const BIN = join(ROOT, 'bin', 'scd2check.js');

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command as people do, from an empty folder, with all times of the machine in another zone. */
function scd2check(folder: string, args: readonly string[], zone = 'UTC'): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { ...process.env, TZ: zone, PGTZ: zone }, maxBuffer: 2 ** 26 };
    execFile(process.execPath, [BIN, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

describe.skipIf(!hasServers())('servers', () => {
  describe.each([
    { under: POSTGRES, launch: startPostgres, endless: POSTGRES.endless.replace(/WHERE.*?'loop'/, '') },
    { under: MARIADB, launch: startMariadb, endless: 'SELECT sleep(1000);' },
  ])('$under.name', ({ under, launch, endless }) => {
    let server: Server;
    let folder: string;
    const example = join(ROOT, 'examples', under.example);
    const ours = async () => (await server.databases()).filter((name) => name.startsWith('scd2check_'));

    beforeAll(async () => {
      server = await launch('Asia/Kathmandu');
      folder = mkdtempSync(join(tmpdir(), 'scd2check-servers-'));
    });
    afterAll(async () => {
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    engineSuite({ ...under, engine: () => server.url, inThisProcess: true });

    it.each(['UTC', 'America/New_York', 'Asia/Kathmandu'])(
      'says the same with the clock of %s, and leaves nothing on the server',
      async (zone) => {
        const quick = ['--scope', '2', '--histories', '40'];
        const { code, stdout } = await scd2check(folder, [example, '--engine', server.url, ...quick], zone);
        expect(stdout).toContain('PASS');
        expect(code).toBe(0);
        expect(await ours()).toEqual([]);
      },
    );

    it.each([
      ['a wrong password', () => server.wrongUrl],
      ['a port where nobody listens', () => server.url.replace(/:\d+\//, ':1/')],
    ])('is wrong usage with %s, said without the password', async (_what, url) => {
      const { code, stdout, stderr } = await scd2check(folder, [example, '--engine', url()]);
      expect(code).toBe(2);
      expect(stdout).toBe('');
      expect(stderr).toMatch(/^scd2check: There is no way into \w+:\/\/tester:\*\*\*@127\.0\.0\.1.*\n$/);
      expect(stderr).not.toMatch(/secret|wr0ng/);
    });

    it('keeps the password out of what it writes', async () => {
      const broken = join(folder, 'broken.sql');
      writeFileSync(broken, `${under.head}\nDELETE FROM dimension;`);
      const args = [broken, '--engine', server.url, '--scope', '2', '--histories', '0', '--full'];
      const { code, stdout } = await scd2check(folder, [
        ...args,
        '--reporter',
        'terminal',
        '--reporter',
        'json:out.json',
      ]);
      expect(code).toBe(1);
      expect(stdout).not.toContain('secret');
      const grep = await new Promise<string>((resolve) =>
        execFile('grep', ['-rl', 'secret', folder], (_error, found) => resolve(found)),
      );
      expect(grep).toBe('');
    });

    it('takes its databases away when it is interrupted in a statement that never ends, or killed', async () => {
      const path = join(folder, 'endless.sql');
      writeFileSync(path, `${under.head}\n${endless}`);
      for (const signal of ['SIGINT', 'SIGKILL'] as const) {
        const child = spawn(process.execPath, [BIN, path, '--engine', server.url], {
          cwd: folder,
          stdio: 'ignore',
        });
        const exit = once(child, 'exit');
        await until(async () => (await ours()).length > 0);
        await new Promise((resolve) => setTimeout(resolve, 1500));
        child.kill(signal);
        await exit;
        await until(async () => (await ours()).length === 0);
      }
    });
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('It did not come to be in 20 s.');
}
