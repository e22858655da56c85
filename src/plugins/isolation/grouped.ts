import { tmpdir } from 'node:os';
import { findOnPath } from '../command/missing.ts';
import type { Program } from '../command/program.ts';
import { confinedEnvironment } from './environment.ts';
import type { Isolation, IsolationOptions, Protection } from './isolation.ts';
import { rlimits } from './rlimits.ts';

/**
 * The weak form, for machines without bubblewrap: a process group in a copy of the submission, with an emptied environment and what limits there
 * are. It bounds accidents. Whoever wants to cheat can: the process belongs to the same user, and reads what that user reads.
 */
export function grouped(options: IsolationOptions): Isolation {
  const { copy, limits } = options;
  const prlimit = findOnPath('prlimit', process.env);
  const home = copy ?? tmpdir();
  const places = { path: process.env['PATH'] ?? '', home, temporary: tmpdir() };
  return {
    inside: (outside) => outside,
    confine: ({ argv, env }: Program): Program => ({
      argv: [...(prlimit === null ? [] : [prlimit, ...rlimits(limits, false), '--']), ...argv],
      cwd: home,
      env: confinedEnvironment(env, options, places),
    }),
    protections: [
      held('process', 'a process of its own'),
      held('environment', 'emptied, but for an allow-list'),
      open('files', 'it works in a copy, and can read and write what the user of this process can'),
      open('harness', 'oracle and cases can be read'),
      open('user', 'the user of this process'),
      open('network', 'open'),
      isLinux()
        ? held('processes', `ended at ${limits.processes}, counted ten times a second`)
        : open('processes', 'not counted on this system'),
      isLinux()
        ? held('memory', `ended at ${limits.memoryBytes / 2 ** 20} MiB, counted ten times a second`)
        : open('memory', 'not counted on this system'),
      prlimit === null
        ? open('disk', 'not bounded')
        : open('disk', `at most ${limits.diskBytes / 2 ** 20} MiB in a file, in as many files as it likes`),
      open('ending', 'its process group ends as a whole; what leaves the group goes on'),
    ],
  };
}

function held(id: Protection['id'], words: string): Protection {
  return { id, holds: true, words };
}

function open(id: Protection['id'], words: string): Protection {
  return { id, holds: false, words };
}

function isLinux(): boolean {
  return process.platform === 'linux';
}
