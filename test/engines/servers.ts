import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A database server on loopback, with a data folder of its own that goes when it stops. */
export interface Server {
  /** With the password in it. */
  readonly url: string;
  /** The same, and a wrong password. */
  readonly wrongUrl: string;
  /** Names of the databases that it has. */
  databases(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** Whether servers can run here: installed, or with the right to install them. In CI always, so that nothing is skipped there. */
export function hasServers(): boolean {
  return process.env['CI'] === 'true' || (postgresBin() !== null && existsSync(MARIADBD)) || isRoot();
}

const MARIADBD = '/usr/sbin/mariadbd';

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Servers refuse to run as root; then they are this user's. */
const UNPRIVILEGED = 'nobody';

/** A command as a user that servers run for. */
function unprivileged(command: string, args: readonly string[]): [string, string[]] {
  return isRoot()
    ? ['setpriv', [`--reuid=${UNPRIVILEGED}`, '--clear-groups', command, ...args]]
    : [command, [...args]];
}

export async function install(...packages: readonly string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-q'], { env });
  await run('apt-get', ['install', '-q', '-y', '--no-install-recommends', ...packages], {
    env,
    maxBuffer: 2 ** 26,
  });
}

function postgresBin(): string | null {
  const root = '/usr/lib/postgresql';
  const version = existsSync(root)
    ? readdirSync(root)
        .sort((a, b) => Number(a) - Number(b))
        .at(-1)
    : undefined;
  const bin = version === undefined ? null : join(root, version, 'bin');
  return bin !== null && existsSync(join(bin, 'initdb')) ? bin : null;
}

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'scd2check-server-'));
  if (isRoot()) spawnSync('chown', [UNPRIVILEGED, folder]);
  return folder;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

async function until(isUp: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await isUp();
      return;
    } catch (error) {
      if (tries === 120) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

async function stopped(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    const hard = setTimeout(() => child.kill('SIGKILL'), 20_000);
    await exit;
    clearTimeout(hard);
  }
  rmSync(folder, { recursive: true, force: true });
}

/** Starts what a data folder holds, in another time zone than any that a test is about. */
function serve(command: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const [program, all] = unprivileged(command, args);
  return spawn(program, all, { stdio: 'ignore', env: { ...process.env, ...env } });
}

export async function startPostgres(zone: string): Promise<Server> {
  if (postgresBin() === null) await install('postgresql');
  const bin = postgresBin()!;
  const folder = dataFolder();
  const password = join(folder, 'password');
  writeFileSync(password, 'secret\n');
  if (isRoot()) spawnSync('chown', [UNPRIVILEGED, password]);
  const data = join(folder, 'data');
  const options = [
    '-U',
    'tester',
    `--pwfile=${password}`,
    '-A',
    'scram-sha-256',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
  ];
  await run(...unprivileged(join(bin, 'initdb'), ['-D', data, ...options, '--no-sync']), { cwd: folder });
  const port = await freePort();
  const settings = ['fsync=off', `timezone=${zone}`, `unix_socket_directories=${folder}`];
  const child = serve(
    join(bin, 'postgres'),
    ['-D', data, '-h', '127.0.0.1', '-p', String(port), ...settings.flatMap((one) => ['-c', one])],
    { TZ: zone },
  );
  const url = `postgres://tester:secret@127.0.0.1:${port}/postgres`;
  const { default: pg } = await import('pg');
  const names = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database ORDER BY 1');
    await client.end();
    return rows.map(({ datname }) => datname);
  };
  await until(names);
  return {
    url,
    wrongUrl: url.replace('secret', 'wr0ng'),
    databases: names,
    stop: () => stopped(child, folder),
  };
}

export async function startMariadb(zone: string): Promise<Server> {
  if (!existsSync(MARIADBD)) await install('mariadb-server');
  const folder = dataFolder();
  const data = join(folder, 'data');
  const socket = join(folder, 'socket');
  await run(
    ...unprivileged('mariadb-install-db', [
      '--no-defaults',
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ]),
    { cwd: folder, maxBuffer: 2 ** 26 },
  );
  const port = await freePort();
  const child = serve(
    MARIADBD,
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${socket}`,
      `--pid-file=${join(folder, 'pid')}`,
      '--innodb-flush-log-at-trx-commit=0',
    ],
    { TZ: zone },
  );
  const driver = await import('mysql2/promise');
  await until(async () => (await driver.createConnection({ socketPath: socket, user: 'root' })).end());
  const root = await driver.createConnection({ socketPath: socket, user: 'root' });
  await root.query("CREATE USER tester@'127.0.0.1' IDENTIFIED BY 'secret'");
  await root.query("GRANT ALL ON `scd2check\\_%`.* TO tester@'127.0.0.1'");
  await root.end();
  const url = `mysql://tester:secret@127.0.0.1:${port}/`;
  return {
    url,
    wrongUrl: url.replace('secret', 'wr0ng'),
    async databases() {
      const connection = await driver.createConnection({ socketPath: socket, user: 'root' });
      const [rows] = await connection.query('SHOW DATABASES');
      await connection.end();
      return (rows as { Database: string }[]).map(({ Database }) => Database);
    },
    stop: () => stopped(child, folder),
  };
}
