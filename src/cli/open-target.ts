import { type CallLimits, DEFAULT_LIMITS } from '../plugins/implementation.ts';
import { openImplementation } from '../plugins/open.ts';
import type { OpenedImplementation } from '../plugins/opened.ts';
import { type Arguments, parseDuration } from './arguments.ts';

/** What the command line or the configuration names: a path, or a program with its arguments. */
export interface Target {
  readonly path: string;
  /** Empty where the path is meant. */
  readonly program: readonly string[];
  /** The folder that a relative path starts from. */
  readonly cwd: string;
}

/** Opens it, with the time that `--timeout` (or the configuration) allows each call. */
export async function openTarget(
  target: Target,
  args: Arguments,
  configured: string | undefined,
): Promise<OpenedImplementation> {
  const timeout = args.value('timeout') ?? configured ?? null;
  const milliseconds = timeout === null ? null : parseDuration(timeout, '--timeout');
  const limits: CallLimits | null =
    milliseconds === null ? null : { startMs: milliseconds, callMs: milliseconds };
  if (target.program.length > 0) {
    const { openCommand } = await import('../plugins/command.ts');
    return openCommand([...target.program], limits ?? DEFAULT_LIMITS, { cwd: target.cwd });
  }
  return openImplementation(target.path, {
    ...(limits === null ? {} : { limits }),
    engine: args.value('engine'),
    sandbox: args.flag('sandbox'),
    cwd: target.cwd,
  });
}
