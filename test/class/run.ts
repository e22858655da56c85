/**
 * `npm run verify:class`: a class of forty made-up submissions in SQL, TypeScript and Python (right, wrong, not gradable, hostile) is graded twice by
 * the compiled command. Held: every score, what every hostile one got, that both times give the same files to the byte, that nothing outside was
 * touched and nothing goes on afterwards, and the time.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { packageRoot } from '../../src/cli/version.ts';
import type { Gradebook, Graded } from '../../src/grade/gradebook.ts';
import { NOT_GRADABLE, RIGHT, WRONG } from './honest.ts';
import { DAEMON_SECONDS, hostile } from './hostile.ts';
import type { MadeUp, Place } from './submission.ts';

const LIMIT_MS = 180_000;

/** As a course would have it; less memory than usual, so that those who want all of it are refused soon. */
const SETTINGS = { isolation: { required: true, memory: '512MiB' } };

export interface ClassResult {
  readonly book: Gradebook;
  readonly made: readonly MadeUp[];
  /** Sentences; none where all is as it must be. */
  readonly wrong: readonly string[];
  readonly elapsedMs: readonly number[];
}

/** @param choose which submissions of the class */
export async function gradeClass(
  choose: (one: MadeUp) => boolean = () => true,
  times: 1 | 2 = 2,
): Promise<ClassResult> {
  const folder = mkdtempSync(join(tmpdir(), 'scd2check-class-'));
  const reached: string[] = [];
  const server = createServer((socket) => {
    reached.push('a connection');
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  try {
    const place: Place = { results: join(folder, 'grades'), secret: join(folder, 'secret.txt'), port };
    const made = [...RIGHT, ...WRONG, ...NOT_GRADABLE, ...hostile(place)].filter(choose);
    writeFileSync(join(folder, 'scd2check.config.json'), JSON.stringify({ grade: SETTINGS }));
    writeFileSync(place.secret, 'made-up-secret\n');
    for (const one of made) handIn(join(folder, 'class'), one);
    const before = digest(join(folder, 'class'));
    const elapsedMs: number[] = [];
    const given: Map<string, string>[] = [];
    for (let time = 0; time < times; time++) {
      rmSync(place.results, { recursive: true, force: true });
      elapsedMs.push(await gradeOnce(folder));
      given.push(filesOf(place.results));
    }
    const book = JSON.parse(readFileSync(join(place.results, 'grades.json'), 'utf8')) as Gradebook;
    const wrong = [
      ...made.flatMap((one) => held(one, book)),
      ...differing(given),
      ...(digest(join(folder, 'class')) === before ? [] : ['What was handed in was changed.']),
      ...(readFileSync(place.secret, 'utf8') === 'made-up-secret\n' ? [] : ['The secret was changed.']),
      ...reached,
      ...survivors(),
      ...forgedLines(),
    ];
    return { book, made, wrong, elapsedMs };
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function handIn(folder: string, { id, files }: MadeUp): void {
  const names = Object.keys(files);
  for (const name of names) {
    const [only] = names.length === 1 ? [name] : [];
    const path =
      only === undefined ? join(folder, id, name) : join(folder, `${id}${only.slice(only.lastIndexOf('.'))}`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, files[name]!);
  }
}

let printed = '';

async function gradeOnce(folder: string): Promise<number> {
  const started = performance.now();
  const bin = join(packageRoot(), 'bin', 'scd2check.js');
  const child = spawn(process.execPath, [bin, 'grade', 'class/', '--threads', '2', '--full'], {
    cwd: folder,
    env: { ...process.env, MADE_UP_SECRET_TOKEN: 'made-up-secret' },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  printed = text;
  if (code !== 0) throw new Error(`scd2check grade ended with ${code}:\n${text}`);
  return performance.now() - started;
}

function held(one: MadeUp, book: Gradebook): string[] {
  const graded = book.submissions.find(({ id }) => id === one.id);
  if (graded === undefined) return [`${one.id} is not among the grades.`];
  const said = wordsOf(graded);
  return [
    ...(graded.score === one.score
      ? []
      : [`${one.id} has the score ${graded.score}, and should have ${one.score}.`]),
    ...(one.says === undefined || one.says.test(said)
      ? []
      : [`${one.id} says ${said.slice(0, 300)}, and not ${one.says}.`]),
  ];
}

/** All that was said of a submission. */
export function wordsOf({ reason, items, problems, beyond }: Graded): string {
  return [
    reason ?? '',
    ...items.flatMap(({ units }) => units.map(({ message }) => message ?? '')),
    ...problems.map(({ message }) => message),
    beyond === null ? '' : `${beyond.failing} of ${beyond.histories} fail`,
  ].join('\n');
}

/** What it got, as it says itself; else the error that was raised, or the first that is said of it. */
export function gotOf(graded: Graded): string {
  const words = wordsOf(graded);
  const said = /GOT (.*)/.exec(words) ?? /The error: (.*)/.exec(words) ?? /(\S.*)/.exec(words);
  return (said?.[1] ?? '').replace(/ \(line \d+\)$/, '').slice(0, 110);
}

function digest(folder: string): string {
  return createHash('sha256')
    .update(JSON.stringify([...filesOf(folder)]))
    .digest('hex');
}

/** Contents by the paths of files. */
function filesOf(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path, 'utf8')]));
}

/** What the second time gave otherwise than the first, with the first line that differs. */
function differing([first = new Map(), second = first]: readonly Map<string, string>[]): string[] {
  return [...new Set([...first.keys(), ...second.keys()])].flatMap((name) => {
    const [one = [], other = []]: (string[] | undefined)[] = [
      first.get(name)?.split('\n'),
      second.get(name)?.split('\n'),
    ];
    const at = one.findIndex((line, index) => line !== other[index]);
    if (at < 0 && one.length === other.length) return [];
    return [`${name} differs: ${one[at]?.slice(0, 300)} | ${other[at]?.slice(0, 300)}`];
  });
}

function survivors(): string[] {
  const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  return stdout.split('\n').some((line) => line.includes(`sleep ${DAEMON_SECONDS}`))
    ? ['A process of a submission goes on.']
    : [];
}

function forgedLines(): string[] {
  return /^\s*(::|##\[)/m.test(printed)
    ? ['A forged workflow command stands at the beginning of a line.']
    : [];
}

async function main(): Promise<void> {
  const { book, made, wrong, elapsedMs } = await gradeClass();
  for (const { id, words, holds } of book.isolation.protections)
    console.log(`${holds ? 'held' : 'OPEN'}  ${id}: ${words}`);
  console.log(`\n${'hostile'.padEnd(24)}${'tries to'.padEnd(86)}got`);
  for (const one of made.filter(({ kind }) => kind === 'hostile')) {
    const graded = book.submissions.find(({ id }) => id === one.id)!;
    console.log(`${one.id.padEnd(24)}${one.tries!.padEnd(86)}${gotOf(graded)}`);
  }
  console.log(
    `\n${made.length} submissions, graded in ${elapsedMs.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(' and ')} (load ${loadavg()[2]!.toFixed(1)} on ${availableParallelism()} processors)`,
  );
  for (const sentence of wrong) console.log(`WRONG  ${sentence}`);
  if (elapsedMs.some((ms) => ms > LIMIT_MS)) console.log(`WRONG  more than ${LIMIT_MS / 1000} s`);
  process.exitCode = wrong.length > 0 || elapsedMs.some((ms) => ms > LIMIT_MS) ? 1 : 0;
}

if (process.argv[1] === import.meta.filename) await main();
