import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../test/engines/engine.ts';
import { environment } from '../test/engines/environment.ts';
import { startMariadb, startPostgres } from '../test/engines/servers.ts';
import type { Entry, ServerName, Setting } from './entry.ts';

const run = promisify(execFile);

/** What a row runs in, once it is there. */
export interface Ready {
  /** Flags that name it to scd2check. */
  readonly flags: readonly string[];
  /** The program that runs the adapter, and `by-hand`. */
  readonly interpreter: string;
  readonly env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

/** Installs what the setting names into `.engines/`, as pinned, and starts its server. */
export async function prepare(entry: Entry, setting: Setting): Promise<Ready> {
  const folder = join(import.meta.dirname, entry.id);
  if (setting.kind === 'duckdb') return still('node', {});
  if (setting.kind === 'sql') {
    const { url, stop } = await startServer(setting.server);
    return { flags: ['--engine', url], interpreter: 'node', env: { CENSUS_DATABASE_URL: url }, stop };
  }
  if (setting.kind === 'node') return still('node', { CENSUS_MODULES: await nodeModules(entry.id, folder) });
  const name = `census-${entry.id}${setting.requirements.replace(/^requirements|\.txt$/g, '')}`;
  const python = await environment(name, join(folder, setting.requirements));
  const env = { SCD2CHECK_PYTHON: python };
  if (setting.server === undefined) return still(python, env);
  const { url, stop } = await startServer(setting.server);
  return { flags: [], interpreter: python, env: { ...env, ...connectionOf(url) }, stop };
}

function still(interpreter: string, env: NodeJS.ProcessEnv): Ready {
  return { flags: [], interpreter, env, stop: async () => undefined };
}

async function startServer(name: ServerName): Promise<{ url: string; stop(): Promise<void> }> {
  return name === 'mariadb' ? startMariadb('Asia/Tokyo') : startPostgres('Asia/Tokyo');
}

/** By the names that PostgreSQL's own clients read. */
function connectionOf(url: string): NodeJS.ProcessEnv {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
    PGDATABASE: pathname.slice(1),
  };
}

/** `node_modules` of the entry's `package-lock.json`, in `.engines/`: the repository's own has nothing of the census. */
async function nodeModules(id: string, folder: string): Promise<string> {
  const target = join(ROOT, '.engines', `census-${id}`);
  const made = join(target, 'made-from');
  const lock = readFileSync(join(folder, 'package-lock.json'));
  const source = createHash('sha256').update(process.version).update(lock).digest('hex');
  if (!existsSync(made) || readFileSync(made, 'utf8') !== source) {
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(join(folder, name), join(target, name));
    await run(join(dirname(process.execPath), 'npm'), ['ci', '--no-audit', '--no-fund'], { cwd: target });
    writeFileSync(made, source);
  }
  return join(target, 'node_modules');
}
