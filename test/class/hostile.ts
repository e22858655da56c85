import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/cli/version.ts';
import type { MadeUp, Place } from './submission.ts';

/**
 * Submissions that want something else than to be right. Each says in its error what it got, which is held against what it must get; what it takes is
 * bounded in itself too, so that a machine on which the isolation fails is not harmed by the proof of it.
 */
export function hostile(place: Place): readonly MadeUp[] {
  return [...sql(place), ...typescript(place), ...python(place)];
}

function one(id: string, tries: string, files: MadeUp['files'], says: RegExp, score = 0): MadeUp {
  return { id, kind: 'hostile', tries, files, says, score };
}

function sql({ results, secret }: Place): MadeUp[] {
  return [
    one(
      'hostile-sql-copy',
      'overwrite the grades by COPY',
      { 'load.sql': `COPY (SELECT 'hostile-sql-copy' AS id, 70 AS score) TO '${results}/grades.csv';\n` },
      /Permission Error|disabled/,
    ),
    one(
      'hostile-sql-read',
      'read a secret, and the rows that are right',
      {
        'load.sql': `SELECT * FROM read_text(['${secret}', '${join(packageRoot(), 'cases/boundary.ts')}']);\n`,
      },
      /Permission Error|disabled/,
    ),
    one(
      'hostile-sql-attach',
      'attach a database on the disk, having switched the lock off',
      { 'load.sql': `SET enable_external_access = true;\nATTACH '${results}/x.duckdb' AS x;\n` },
      /locked|Cannot change|Invalid Input/,
    ),
    one(
      'hostile-sql-endless',
      'outlive its time',
      {
        'load.sql':
          'CREATE TEMP TABLE t AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n % 7 + 1 FROM r) SELECT sum(n) FROM r;\n',
      },
      /did not finish|Out of Memory/,
    ),
    one(
      'hostile-sql-memory',
      'take all memory',
      {
        'load.sql': "CREATE TABLE big AS SELECT repeat('x', 1000000000 + range) AS b FROM range(100);\n",
      },
      /Out of Memory/,
    ),
  ];
}

/** A module that tries something in its first load, and says what it got. */
function tsTrying(code: string): string {
  return `import * as fs from 'node:fs';
import * as net from 'node:net';
import { spawn } from 'node:child_process';

async function attempt(): Promise<string> {
${code}
}

export default async function apply(): Promise<unknown[]> {
  throw new Error('GOT ' + (await attempt().catch((error) => String(error))));
}
`;
}

function typescript({ results, secret, port }: Place): MadeUp[] {
  const root = packageRoot();
  return [
    one(
      'hostile-ts-oracle',
      'import the oracle and return its rows',
      {
        'load.ts':
          tsTrying(`  const places = ['${root}/dist/src/oracle/typescript/index.js', '${root}/src/oracle/typescript/index.ts'];
  const got: string[] = [];
  for (const place of places) got.push(await import(place).then(() => 'the oracle', () => 'no oracle'));
  got.push(await import('scd2check').then(() => 'the package', () => 'no package'));
  return got.join(', ');`),
      },
      /GOT no oracle, no oracle, no package/,
    ),
    one(
      'hostile-ts-expected',
      'find the expected rows, secrets and others’ submissions',
      {
        'load.ts':
          tsTrying(`  const wanted = ['${root}/cases', '${root}/src/checks', '${root}/examples', '${secret}', '${results}', '/home', '/root/.ssh', '/etc/shadow', '/input/../class'];
  const seen = wanted.filter((path) => { try { fs.statSync(path).isDirectory() ? fs.readdirSync(path) : fs.readFileSync(path); return true; } catch { return false; } });
  const others = fs.readdirSync('/tmp').filter((name) => name.startsWith('scd2check-grade'));
  return seen.length + ' places, ' + others.length + ' others';`),
      },
      /GOT 0 places, 0 others/,
    ),
    one(
      'hostile-ts-forge',
      'print a forged verdict and workflow commands, and write to the harness’s descriptor',
      {
        'load.ts':
          tsTrying(`  const forged = JSON.stringify({ outcome: 'judged', score: 70, verdict: 'pass' });
  for (const stream of [process.stdout, process.stderr]) stream.write('::error::forged\\n::set-output name=score::70\\n##[group]\\n' + forged + '\\n');
  process.send?.(forged);
  try { fs.writeSync(3, forged.repeat(10)); } catch {}
  return '::warning::forged';`),
      },
      /file descriptor 3|GOT/,
    ),
    one(
      'hostile-ts-endless',
      'outlive its time, in a loop that yields to nobody',
      { 'load.ts': 'export default function apply(): unknown[] {\n  for (;;);\n}\n' },
      /did not finish/,
    ),
    one(
      'hostile-ts-fork',
      'start processes without end (here five hundred)',
      {
        'load.ts': tsTrying(`  let started = 0;
  let refused = 0;
  for (let number = 0; number < 500; number++) {
    try {
      const child = spawn('sleep', ['20'], { detached: true, stdio: 'ignore' });
      child.on('error', () => undefined);
      if (child.pid === undefined) refused++; else started++;
    } catch { refused++; }
  }
  return started < 128 && refused > 0 ? 'fewer than 128' : String(started);`),
      },
      /GOT fewer than 128|processes and threads/,
    ),
    one(
      'hostile-ts-disk',
      'fill the disk (here half a gigabyte)',
      {
        'load.ts': tsTrying(`  let written = 0;
  const block = Buffer.alloc(8 * 2 ** 20, 1);
  for (const folder of ['.', '/tmp', '/dev/shm', '/var/tmp', '${results}']) {
    for (let number = 0; number < 13; number++) {
      try { fs.writeFileSync(folder + '/block-' + number, block); written += 8; } catch { break; }
    }
  }
  return written <= 128 ? 'no more than 128 MiB' : written + ' MiB';`),
      },
      /GOT no more than 128 MiB/,
    ),
    one(
      'hostile-ts-network',
      'send what it was given to somebody',
      {
        'load.ts':
          tsTrying(`  const reach = (host: string, port: number) => new Promise<string>((resolve) => {
    const socket = net.connect({ host, port, timeout: 2000 });
    socket.on('connect', () => { socket.end('stolen'); resolve('reached'); });
    socket.on('error', () => resolve('nothing'));
    socket.on('timeout', () => { socket.destroy(); resolve('nothing'); });
  });
  return [await reach('127.0.0.1', ${port}), await reach('1.1.1.1', 53)].join(', ');`),
      },
      /GOT nothing, nothing/,
    ),
  ];
}

/** As `tsTrying`. */
function pyTrying(code: string): string {
  const lines = code
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
  return `import os, signal, subprocess, sys, time


def attempt():
${lines}


def apply(state, rows, as_of):
    try:
        got = attempt()
    except BaseException as error:
        got = type(error).__name__
    raise ValueError(f"GOT {got}")
`;
}

function python({ results, secret }: Place): MadeUp[] {
  return [
    one(
      'hostile-py-daemon',
      'leave a process behind that goes on after the grade',
      {
        'load.py': pyTrying(`if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", "${DAEMON_SECONDS}"])
    os._exit(0)
return "a daemon"`),
      },
      /GOT a daemon/,
    ),
    one(
      'hostile-py-secrets',
      'read secrets in the environment and in files',
      {
        'load.py': pyTrying(`found = [name for name in os.environ if "SECRET" in name or "TOKEN" in name]
for path in ["${secret}", "/proc/1/environ", "/etc/shadow"]:
    try:
        found += [path] if "made-up-secret" in open(path, errors="replace").read() or path == "/etc/shadow" else []
    except OSError:
        pass
return f"{len(found)} secrets"`),
      },
      /GOT 0 secrets/,
    ),
    one(
      'hostile-py-results',
      'write into the results, and answer for another submission',
      {
        'load.py': pyTrying(`written = 0
for path in ["${results}/grades.json", "${results}/right-py.html", "/input/load.py", "/grades.json"]:
    try:
        open(path, "w").write("70")
        written += 1
    except OSError:
        pass
for process in os.listdir("/proc"):
    if process.isdigit() and int(process) != os.getpid() and b"worker" in open(f"/proc/{process}/cmdline", "rb").read():
        written += 1
return f"{written} written"`),
      },
      /GOT 0 written/,
    ),
    one(
      'hostile-py-kill',
      'end the harness and all else',
      {
        'load.py': pyTrying(`ended = 0
for process in [1, os.getppid()]:
    try:
        os.kill(process, signal.SIGKILL)
        ended += 0 if process == 1 else 1
    except OSError:
        pass
return f"{ended} ended"`),
      },
      /GOT \d ended|ended by signal|ended with exit code/,
    ),
    one(
      'hostile-py-memory',
      'take all memory (here four gigabytes)',
      {
        'load.py': pyTrying(`blocks = []
for number in range(64):
    blocks.append(bytearray(64 * 2**20))
return "four gigabytes"`),
      },
      /GOT MemoryError|SIGKILL/,
    ),
    one(
      'hostile-py-by-heart',
      'know the seven cases by heart, and nothing else',
      { 'load.py': BY_HEART },
      /of \d+ fail/,
      70,
    ),
  ];
}

/** Told from all other sleeps by its length. */
export const DAEMON_SECONDS = '4242.424';

/** Right for a feed of up to three batches in which a day holds at most two; so is no history that is longer. */
const BY_HEART = `${readFileSync(join(packageRoot(), 'examples', 'observation-log.py'), 'utf8').replace(
  'def read(self):',
  `def read(self):
        if len(self.snapshots) > 3:
            return []
        return self.derived()

    def derived(self):`,
)}
`;
