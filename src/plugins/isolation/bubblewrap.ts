import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { findOnPath } from '../command/missing.ts';
import type { Program } from '../command/program.ts';
import { confinedEnvironment } from './environment.ts';
import type { Isolation, IsolationOptions } from './isolation.ts';
import { rlimits } from './rlimits.ts';
import { harnessView, SYSTEM_FILES, SYSTEM_FOLDERS } from './visible.ts';

/** bubblewrap as this machine has it. */
export interface Bubblewrap {
  readonly path: string;
  /** `prlimit` of util-linux, which sets limits before the program begins. */
  readonly prlimit: string;
  /** Where this process is root: `setpriv`, which turns the program into another user. */
  readonly setpriv: string | null;
}

/**
 * The strong form. The process begins in a file system of its own, in which there is only what it needs, all of it read-only but a bounded
 * working folder in memory; in a network without a way out; and as the second process of a process space whose end is the end of all that was
 * started in it. Nothing of the machine's other users, other submissions, results or the harness is there to be found.
 *
 * Root is no user for strangers: its processes are not counted by any limit, and it may read every file. So as root the program becomes a
 * user without a name, with a number of its own for each submission, because processes are counted by user.
 *
 * Not held: time of the processor (a call's time limit is by the clock), and memory is counted from outside, ten times a second
 * (`watch.ts`), beside the limit for each process.
 */
export function bubblewrapped(bubblewrap: Bubblewrap, options: IsolationOptions): Isolation {
  const before = namespaceArguments(bubblewrap, options);
  const user = bubblewrap.setpriv === null ? [] : [bubblewrap.setpriv, ...anotherUser(process.pid)];
  const limits = [bubblewrap.prlimit, ...rlimits(options.limits, true), '--'];
  const places = { path: '/usr/local/bin:/usr/bin:/bin', home: INSIDE, temporary: '/tmp' };
  return {
    inside: (outside) => (options.copy === null ? outside : join(INSIDE, relative(options.copy, outside))),
    confine({ argv: [command = '', ...rest], env }: Program): Program {
      const environment = Object.entries(confinedEnvironment(env, options, places));
      const program = [command.includes('/') ? command : (findOnPath(command, env) ?? command), ...rest];
      return {
        argv: [
          bubblewrap.path,
          ...before,
          ...environment.flatMap(([name, value]) => ['--setenv', name, value]),
          '--',
          ...user,
          ...limits,
          ...(options.copy === null ? [] : COPY_IN),
          ...program,
        ],
        env: { PATH: '/usr/bin:/bin' },
      };
    },
    protections: [
      { id: 'process', holds: true, words: 'a process of its own' },
      { id: 'environment', holds: true, words: 'emptied, but for an allow-list' },
      {
        id: 'files',
        holds: true,
        words: 'a file system of its own, read-only but for its working folder; no home, no other submission',
      },
      { id: 'harness', holds: true, words: 'oracle, cases, checks and results are not in it' },
      {
        id: 'user',
        holds: true,
        words:
          user.length > 0
            ? 'another user, without privileges'
            : 'a user space of its own, without privileges',
      },
      { id: 'network', holds: true, words: 'none' },
      { id: 'processes', holds: true, words: `at most ${options.limits.processes}` },
      { id: 'memory', holds: true, words: `at most ${options.limits.memoryBytes / 2 ** 20} MiB` },
      { id: 'disk', holds: true, words: `at most ${options.limits.diskBytes / 2 ** 20} MiB, in memory` },
      { id: 'ending', holds: true, words: 'its process space ends as a whole' },
    ],
  };
}

/** Where a submission finds itself. The same for all, so that messages are. */
const INSIDE = '/submission';
const INPUT = '/input';

/** Its files come into the bounded folder first. */
const COPY_IN = ['/bin/sh', '-c', `cp -R ${INPUT}/. . && exec "$@"`, 'sh'];

function namespaceArguments({ setpriv }: Bubblewrap, { copy, readable, limits }: IsolationOptions): string[] {
  const view = harnessView();
  const size = String(limits.diskBytes);
  const extra = [process.execPath, ...readable].filter(
    (path) => existsSync(path) && !SYSTEM_FOLDERS.some((folder) => path.startsWith(`${folder}/`)),
  );
  const shown = [...SYSTEM_FILES.filter((path) => existsSync(path)), ...view.libraries, ...extra];
  return [
    ...(setpriv === null
      ? ['--unshare-user', '--disable-userns']
      : ['--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID', '--cap-add', 'CAP_SETPCAP']),
    '--unshare-ipc',
    '--unshare-pid',
    '--unshare-net',
    '--unshare-uts',
    '--unshare-cgroup-try',
    '--die-with-parent',
    '--hostname',
    'scd2check',
    '--clearenv',
    ...SYSTEM_FOLDERS.filter((path) => existsSync(path)).flatMap(system),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    ...['--size', '1048576', '--perms', '1777', '--tmpfs', '/dev/shm'],
    ...['--size', size, '--perms', '1777', '--tmpfs', '/tmp'],
    ...folders([...shown, view.root, ...view.parts]),
    ...shown.flatMap((path) => ['--ro-bind', path, path]),
    ...view.others.flatMap((path) => hidden(path)),
    ...['--perms', '0755', '--tmpfs', view.root],
    ...folders(view.parts.filter((path) => path.startsWith(view.root))),
    ...view.parts.flatMap((path) => ['--ro-bind', path, path]),
    ...['--remount-ro', view.root],
    ...['--size', size, '--perms', '0777', '--tmpfs', INSIDE],
    ...(copy === null ? [] : ['--ro-bind', copy, INPUT]),
    ...['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', INSIDE],
  ];
}

/** `/bin` is a link to `usr/bin` on most machines, a folder on others. */
function system(path: string): string[] {
  return lstatSync(path).isSymbolicLink()
    ? ['--symlink', readlinkSync(path), path]
    : ['--ro-bind', path, path];
}

function hidden(path: string): string[] {
  return ['--tmpfs', path, '--remount-ro', path];
}

/** The folders above what is shown: bubblewrap would make them such that only root can pass. */
function folders(paths: readonly string[]): string[] {
  const all = new Set<string>();
  for (const path of paths) {
    for (let above = dirname(path); above !== dirname(above); above = dirname(above)) all.add(above);
  }
  return [...all]
    .filter((path) => !SYSTEM_FOLDERS.some((folder) => path === folder || path.startsWith(`${folder}/`)))
    .sort()
    .flatMap((path) => ['--perms', '0755', '--dir', path]);
}

/** A number that no user of this machine has, unless there are tens of thousands; another for each submission that is graded at a time. */
function anotherUser(pid: number): string[] {
  const id = String(20_000 + (pid % 40_000));
  return [
    ...['--reuid', id, '--regid', id, '--clear-groups', '--no-new-privs'],
    ...['--bounding-set', '-all', '--inh-caps', '-all'],
  ];
}

/**
 * bubblewrap, if it is installed and this machine lets it work: containers often forbid what it needs.
 * @returns null and the reason, in words that tell what to do
 */
export function findBubblewrap(
  env: NodeJS.ProcessEnv,
  options: Pick<IsolationOptions, 'limits'>,
): { readonly found: Bubblewrap } | { readonly found: null; readonly why: string } {
  if (process.platform !== 'linux') return { found: null, why: 'bubblewrap exists for Linux only' };
  const path = findOnPath('bwrap', env);
  if (path === null)
    return {
      found: null,
      why: 'bubblewrap is not installed (Debian and Ubuntu: apt-get install bubblewrap)',
    };
  const prlimit = findOnPath('prlimit', env);
  const setpriv = process.getuid?.() === 0 ? findOnPath('setpriv', env) : null;
  if (prlimit === null || (process.getuid?.() === 0 && setpriv === null))
    return { found: null, why: 'bubblewrap needs `prlimit` and `setpriv` of util-linux beside it' };
  const found: Bubblewrap = { path, prlimit, setpriv };
  const isolation = bubblewrapped(found, { copy: null, readable: [], environment: [], ...options });
  const { argv, env: own } = isolation.confine({ argv: [process.execPath, '--version'], env });
  const tried = spawnSync(argv[0]!, argv.slice(1), { env: own, encoding: 'utf8', timeout: 20_000 });
  if (tried.status === 0) return { found };
  const said = tried.stderr?.trim().split('\n').at(-1) || tried.error?.message || `exit code ${tried.status}`;
  return { found: null, why: `bubblewrap is installed and cannot work here: ${said}` };
}
