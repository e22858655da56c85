import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contract, grainMicros } from '../../contract/contract.ts';
import { formatInstant } from '../../contract/instant.ts';
import { ImplementationFailure, type Session, type SetClock } from '../implementation.ts';
import { timeOf, tooCoarse } from '../set-clock.ts';
import { removeLeftovers } from './faketime-leftovers.ts';
import type { Program } from './program.ts';

/**
 * A clock for programs: libfaketime answers in the place of the system's, with the time that a file says. It shows whole seconds. Where it shows
 * the instant of a batch it stands still during the load, or goes on by a grain with each reading; at another time it runs as clocks do.
 * The clock that only measures (timeouts) stays the system's own.
 */
export interface MovedClock {
  /** The program, run by this clock. */
  readonly program: Program;
  /** A session whose every load runs at the instant of its batch; the clock goes when it is closed. */
  around(session: Session): Session;
  close(): void;
}

/** Why programs cannot be run by a clock; null where they can. */
export function programRefusesClock(clock: SetClock, contract: Contract): string | null {
  if (clock.ticks && contract.grain === 'day') return 'the clock of a program cannot go on from day to day';
  const coarse = tooCoarse(clock, contract, SECOND, 'the clock of a program shows whole seconds');
  if (coarse !== null) return coarse;
  if (findLibrary() !== null) return null;
  return 'a program needs libfaketime for that, which was not found. Install it (Debian and Ubuntu: apt-get install faketime; macOS: brew install libfaketime), or name the library in SCD2CHECK_LIBFAKETIME';
}

const SECOND = 1_000_000n;

/** @throws ImplementationFailure `start` where the clock cannot be set so. */
export function moveClock(program: Program, clock: SetClock, contract: Contract): MovedClock {
  const reason = programRefusesClock(clock, contract);
  const library = findLibrary();
  if (reason !== null || library === null)
    throw new ImplementationFailure('start', `The clock cannot be set: ${reason}.`);
  const folder = mkdtempSync(join(tmpdir(), 'scd2check-clock-'));
  const file = join(folder, 'time');
  const set = (asOf: bigint) => {
    // Before each load, since a program may be started for each.
    removeLeftovers();
    writeFileSync(file, timeText(clock, asOf, contract));
  };
  const close = () => {
    rmSync(folder, { recursive: true, force: true });
    removeLeftovers();
  };
  set(0n);
  const preload = process.platform === 'darwin' ? 'DYLD_INSERT_LIBRARIES' : 'LD_PRELOAD';
  const env = {
    ...program.env,
    TZ: 'UTC',
    [preload]: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  };
  return {
    program: { ...program, env },
    around: (session) => ({
      apply: (batch) => {
        set(batch.asOf);
        return session.apply(batch);
      },
      read: () => session.read(),
      interrupt: async (batch, point) => {
        set(batch.asOf);
        return (await session.interrupt?.(batch, point)) ?? { points: 0 };
      },
      close: async () => {
        await session.close();
        close();
      },
    }),
    close,
  };
}

const FOLDERS = [
  '/usr/lib/x86_64-linux-gnu/faketime',
  '/usr/lib/aarch64-linux-gnu/faketime',
  '/usr/lib64/faketime',
  '/usr/lib/faketime',
  '/usr/local/lib/faketime',
  '/opt/homebrew/lib/faketime',
];

/** In the words of libfaketime: `@` begins there and runs, and `i` is what each reading adds. */
function timeText(clock: SetClock, asOf: bigint, contract: Contract): string {
  const text = formatInstant(timeOf(clock, asOf, contract))
    .slice(0, 19)
    .replace('T', ' ');
  if (clock.ticks) return `@${text} i${grainMicros(contract.grain) / SECOND}.0`;
  return clock.shows === 'batch' ? text : `@${text}`;
}

function findLibrary(): string | null {
  const chosen = process.env['SCD2CHECK_LIBFAKETIME'];
  if (chosen !== undefined && chosen !== '') return existsSync(chosen) ? chosen : null;
  // The one for programs with several threads, which serves all others too.
  const names = ['libfaketimeMT.so.1', 'libfaketime.so.1', 'libfaketime.1.dylib'];
  const all = FOLDERS.flatMap((folder) => names.map((name) => join(folder, name)));
  return all.find((path) => existsSync(path)) ?? null;
}
