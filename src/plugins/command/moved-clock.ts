import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contract, grainMicros } from '../../contract/contract.ts';
import { formatInstant } from '../../contract/instant.ts';
import { ImplementationFailure, type Session } from '../implementation.ts';
import type { Program } from './program.ts';

/**
 * `clock: moved` for programs: libfaketime answers in the place of the system's clock, with the time that a file says. The clock stands
 * still during a load, and shows whole seconds. The clock that only measures (timeouts, sleep) stays the system's own.
 */
export interface MovedClock {
  /** The program, run by this clock. */
  readonly program: Program;
  /** A session whose every load runs at the instant of its batch; the clock goes when it is closed. */
  around(session: Session): Session;
  close(): void;
}

/** @throws ImplementationFailure `start` where the clock cannot be moved, or not as finely as the contract wants it. */
export function moveClock(program: Program, { grain }: Contract): MovedClock {
  if (grainMicros(grain) < 1_000_000n) {
    throw new ImplementationFailure(
      'start',
      `Under \`clock: moved\` a program's clock shows whole seconds, and the contract says \`grain: ${grain}\`. Declare \`grain: second\` or \`grain: day\`, or \`clock: wall\`.`,
    );
  }
  const library = findLibrary();
  if (library === null) {
    throw new ImplementationFailure(
      'start',
      'Under `clock: moved` a program runs with libfaketime, which was not found. Install it (Debian and Ubuntu: apt-get install faketime; macOS: brew install libfaketime), or name the library in SCD2CHECK_LIBFAKETIME.',
    );
  }
  const folder = mkdtempSync(join(tmpdir(), 'scd2check-clock-'));
  const file = join(folder, 'time');
  const set = (micros: bigint) => writeFileSync(file, formatInstant(micros).slice(0, 19).replace('T', ' '));
  const close = () => rmSync(folder, { recursive: true, force: true });
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

function findLibrary(): string | null {
  const chosen = process.env['SCD2CHECK_LIBFAKETIME'];
  if (chosen !== undefined && chosen !== '') return existsSync(chosen) ? chosen : null;
  // The one for programs with several threads, which serves all others too.
  const names = ['libfaketimeMT.so.1', 'libfaketime.so.1', 'libfaketime.1.dylib'];
  const all = FOLDERS.flatMap((folder) => names.map((name) => join(folder, name)));
  return all.find((path) => existsSync(path)) ?? null;
}
