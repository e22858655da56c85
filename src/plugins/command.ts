import type { Declared } from '../contract/declared.ts';
import { detect } from './command/detect.ts';
import { connect, type Greeting } from './command/hello.ts';
import { missingProgram } from './command/missing.ts';
import { moveClock, programRefusesClock } from './command/moved-clock.ts';
import { programEnvironment } from './command/package.ts';
import { PlainSession } from './command/plain.ts';
import type { Program } from './command/program.ts';
import type { ProtocolClient } from './command/protocol-client.ts';
import { startProtocolSession } from './command/protocol-session.ts';
import {
  type CallLimits,
  DEFAULT_LIMITS,
  ImplementationFailure,
  type ImplementationKind,
  type Session,
  type SetClock,
  type Setup,
} from './implementation.ts';
import type { Isolation } from './isolation/isolation.ts';
import type { OpenedImplementation } from './opened.ts';
import { clockOf } from './set-clock.ts';

export interface CommandOptions {
  /** Folder that the command runs in. The harness's own, unless given. */
  readonly cwd?: string;
  /** What reports call it. What it calls itself, or the command, unless given. */
  readonly name?: string;
  /** How it is confined; its first word is then a file of the submission. */
  readonly isolation?: Isolation | null;
}

/**
 * Opens any program: one that stays up and speaks line protocol 1, or one that is started for each batch. Which of
 * the two it is, is found out by trying.
 *
 * @throws ImplementationFailure `start` where it answers in neither way, or there is no such program.
 */
export async function openCommand(
  argv: readonly string[],
  limits: CallLimits,
  options: CommandOptions = {},
): Promise<OpenedImplementation> {
  const own: Program = {
    argv,
    env: programEnvironment(),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  };
  const missing = missingProgram(own);
  if (missing !== null) throw missing;
  const isolation = options.isolation ?? null;
  const [command = '', ...rest] = argv;
  const program = isolation?.confine({ ...own, argv: [isolation.inside(command), ...rest] }) ?? own;
  const where = argv.join(' ');
  const found = await detect(program, where, limits);
  if (found.form === 'plain') return plainImplementation(program, options.name ?? where, limits, isolation);
  return protocolImplementation({ program, where, limits, kind: 'command', ...found, ...options, isolation });
}

/**
 * An implementation over programs that speak the protocol. One program serves session after session; a session that
 * begins while another is open, or after a program has failed, gets a new one.
 */
export function protocolImplementation(opened: {
  readonly program: Program;
  readonly where: string;
  readonly limits: CallLimits;
  readonly kind: ImplementationKind;
  readonly client: ProtocolClient;
  readonly greeting: Greeting;
  readonly name?: string;
  readonly isolation: Isolation | null;
}): OpenedImplementation {
  const { program, where, kind, greeting, isolation } = opened;
  // What somebody set holds; what nobody set gives way to what the program knows of itself.
  const limits =
    opened.limits === DEFAULT_LIMITS ? { ...DEFAULT_LIMITS, ...greeting.timeouts } : opened.limits;
  const all = new Set([opened.client]);
  const idle = [opened.client];
  let closed = false;

  const client = async (): Promise<ProtocolClient> => {
    for (let next = idle.pop(); next !== undefined; next = idle.pop()) {
      if (next.usable) return next;
      all.delete(next);
    }
    return fresh();
  };

  const fresh = async (own = program): Promise<ProtocolClient> => {
    if (closed) throw closedFailure(where);
    const another = (await connect(own, where, limits)).client;
    all.add(another);
    if (!closed) return another;
    await another.kill();
    throw closedFailure(where);
  };

  /** A program of its own, which runs by a clock of its own. */
  const startMoved = async (setup: Setup, set: SetClock): Promise<Session> => {
    const clock = moveClock(program, set, setup.contract);
    try {
      const session = await startProtocolSession(await fresh(clock.program), setup, limits, {
        release: (released) => {
          all.delete(released);
          void released.bye();
        },
        replace: (killed) => {
          all.delete(killed);
          return fresh(clock.program);
        },
      });
      return clock.around(session);
    } catch (error) {
      clock.close();
      throw error;
    }
  };

  return {
    name: opened.name ?? greeting.implementation ?? where,
    kind,
    anyColumns: greeting.anyColumns,
    interruptible: greeting.durable,
    beginsFromTable: greeting.beginsFromTable,
    declared: greeting.declared,
    refusesClock: clockRefusal(isolation),
    start: async (setup: Setup): Promise<Session> => {
      const set = clockOf(setup);
      if (set !== null) return startMoved(setup, set);
      return startProtocolSession(await client(), setup, limits, {
        release: (released) => idle.push(released),
        replace: (killed) => {
          all.delete(killed);
          return fresh();
        },
      });
    },
    close: async () => {
      closed = true;
      const open = [...all];
      all.clear();
      idle.length = 0;
      await Promise.all(open.map((each) => each.bye()));
    },
  };
}

function plainImplementation(
  program: Program,
  name: string,
  limits: CallLimits,
  isolation: Isolation | null,
): OpenedImplementation {
  const declared: readonly Declared[] = [];
  const closing = new AbortController();
  return {
    name,
    kind: 'command',
    // It is told the columns of every batch; whether it heeds them is more than an empty batch can show.
    anyColumns: false,
    declared,
    refusesClock: clockRefusal(isolation),
    start: async (setup: Setup): Promise<Session> => {
      if (closing.signal.aborted) throw closedFailure(name);
      const set = clockOf(setup);
      if (set === null) return new PlainSession(program, name, setup, limits, closing.signal);
      const clock = moveClock(program, set, setup.contract);
      return clock.around(new PlainSession(clock.program, name, setup, limits, closing.signal));
    },
    close: async () => closing.abort(),
  };
}

/** The library that moves a program's clock, and the file that says where to, lie outside of what a confined program sees. */
function clockRefusal(isolation: Isolation | null): typeof programRefusesClock {
  if (isolation === null) return programRefusesClock;
  return () => 'a program that is kept apart, as in `grade`, runs by the machine’s clock';
}

function closedFailure(name: string): ImplementationFailure {
  return new ImplementationFailure('start', `\`${name}\` was closed and cannot start again.`);
}
