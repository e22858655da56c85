import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './engine.ts';
import { environment, hasPython } from './environment.ts';
import { install, isRoot } from './servers.ts';

/** Spark 4.0 runs on these; on later ones it may not start. */
const JAVA = [17, 21];
const PACKAGE = 'openjdk-17-jre-headless';
/** The build for Spark 4.0 and its Scala. */
export const ICEBERG = 'org.apache.iceberg:iceberg-spark-runtime-4.0_2.13:1.10.1';

export interface Spark {
  /** The Python of an environment that has pyspark. */
  readonly python: string;
  /** Its `spark-sql` and `spark-submit`. */
  readonly bin: string;
  /** What they need: where Java is, and an address that exists. */
  readonly env: NodeJS.ProcessEnv;
}

/** A running session, in a folder of its own that goes when it stops. */
export interface SparkSession {
  /** A command that reads a query and prints its rows as JSON. */
  readonly client: string;
  /** The rows of a statement. Throws what Spark says. */
  sql(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  stop(): Promise<void>;
}

/** Whether Spark can run here, or be brought here. In CI always, so that nothing is skipped there. */
export function hasSpark(): boolean {
  return process.env['CI'] === 'true' || (hasPython() && (javaHome() !== null || isRoot()));
}

/** Spark from PyPI in `.engines/spark`, with Java from Debian where there is none that fits. */
export async function spark(): Promise<Spark> {
  if (javaHome() === null) await install(PACKAGE);
  const java = javaHome();
  if (java === null) throw new Error(`There is no Java ${JAVA.join(' or ')}, not even after ${PACKAGE}.`);
  const python = await environment('spark', join(import.meta.dirname, 'spark', 'requirements.txt'));
  const site = join(dirname(dirname(python)), 'lib');
  const home = join(site, readdirSync(site)[0]!, 'site-packages', 'pyspark');
  return {
    python,
    bin: join(home, 'bin'),
    env: {
      ...process.env,
      JAVA_HOME: java,
      SPARK_HOME: home,
      SPARK_LOCAL_IP: '127.0.0.1',
      PYSPARK_PYTHON: python,
    },
  };
}

/** A Spark Connect server on this machine, with the Iceberg catalog `lake`. */
export interface ConnectServer {
  /** `sc://127.0.0.1:…`. */
  readonly url: string;
  /** Folder of the catalog. */
  readonly lake: string;
  stop(): Promise<void>;
}

/** Starts one, set up for small loads. */
export async function startConnectServer({ bin, env }: Spark): Promise<ConnectServer> {
  const folder = mkdtempSync(join(tmpdir(), 'scd2check-connect-'));
  const port = await freePort();
  const lake = join(folder, 'lake');
  const conf = {
    ...settings(folder, 'Pacific/Auckland'),
    'spark.jars.ivy': IVY,
    'spark.connect.grpc.binding.address': '127.0.0.1',
    'spark.connect.grpc.binding.port': String(port),
    'spark.sql.adaptive.enabled': 'false',
    'spark.sql.codegen.wholeStage': 'false',
    'spark.sql.catalog.lake': 'org.apache.iceberg.spark.SparkCatalog',
    'spark.sql.catalog.lake.type': 'hadoop',
    'spark.sql.catalog.lake.warehouse': lake,
  };
  const child = spawn(
    join(bin, 'spark-submit'),
    [
      ...['--class', 'org.apache.spark.sql.connect.service.SparkConnectServer'],
      ...Object.entries(conf).flatMap(([name, value]) => ['--conf', `${name}=${value}`]),
      'spark-internal',
    ],
    { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  const exited = once(child, 'exit').then(() => {
    throw new Error(`Spark Connect did not start:\n${said.slice(-4000)}`);
  });
  const started = (async () => {
    for await (const line of createInterface({ input: child.stderr! })) {
      said += `${line}\n`;
      if (/Connect server started at/.test(line)) break;
    }
  })();
  await Promise.race([started, exited]);
  // Nobody waits for it any longer; what it goes on to say is not read.
  exited.catch(() => {});
  child.stderr!.resume();
  return {
    url: `sc://127.0.0.1:${port}`,
    lake,
    async stop() {
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Of their own, because two Sparks that start at once disturb each other in one folder. */
export const IVY = join(ROOT, '.engines', 'ivy-kit');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function javaHome(): string | null {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'java'));
  const found = onPath.filter((path) => existsSync(path)).map((path) => dirname(dirname(realpathSync(path))));
  const debian = '/usr/lib/jvm';
  const installed = existsSync(debian) ? readdirSync(debian).map((name) => join(debian, name)) : [];
  const homes = [process.env['JAVA_HOME'] ?? '', ...found, ...installed];
  return homes.find((home) => JAVA.includes(majorOf(home)) && existsSync(join(home, 'bin', 'java'))) ?? null;
}

/** `JAVA_VERSION="17.0.15"` in the file that every Java has. */
function majorOf(home: string): number {
  const file = join(home, 'release');
  if (home === '' || !existsSync(file)) return 0;
  return Number(/JAVA_VERSION="(\d+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
}

/** Settings of a session that keep it small, and a catalog `local` of Iceberg tables in a folder. */
function settings(folder: string, zone: string): Record<string, string> {
  return {
    'spark.ui.enabled': 'false',
    'spark.sql.shuffle.partitions': '1',
    'spark.sql.session.timeZone': zone,
    'spark.sql.warehouse.dir': join(folder, 'warehouse'),
    'spark.jars.packages': ICEBERG,
    'spark.jars.ivy': join(ROOT, '.engines', 'ivy'),
    'spark.sql.extensions': 'org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions',
    'spark.sql.catalog.local': 'org.apache.iceberg.spark.SparkCatalog',
    'spark.sql.catalog.local.type': 'hadoop',
    'spark.sql.catalog.local.warehouse': join(folder, 'iceberg'),
  };
}

/** Starts a local session whose time zone is not UTC. */
export async function startSparkSession({ python, env }: Spark, zone: string): Promise<SparkSession> {
  const folder = mkdtempSync(join(tmpdir(), 'scd2check-spark-'));
  const here = join(import.meta.dirname, 'spark');
  const child = spawn(python, [join(here, 'session.py'), JSON.stringify(settings(folder, zone))], {
    cwd: folder,
    env: { ...env, TZ: zone },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const port = await portOf(child);
  return {
    client: `${process.execPath} ${join(here, 'client.mjs')} ${port}`,
    async sql(statement) {
      const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: statement });
      const text = await answer.text();
      if (!answer.ok) throw new Error(text);
      return JSON.parse(text);
    },
    async stop() {
      // Java ends with the Python that it serves.
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The first line that it prints. */
async function portOf(child: ChildProcess): Promise<string> {
  let said = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000);
  });
  for await (const line of createInterface({ input: child.stdout! })) if (/^\d+$/.test(line)) return line;
  throw new Error(`Spark did not start:\n${said}`);
}
