import { type CallLimits, DEFAULT_LIMITS } from '../plugins/implementation.ts';
import { openImplementation } from '../plugins/open.ts';
import type { OpenedImplementation } from '../plugins/opened.ts';
import { type SparkOptions, usualRemote } from '../plugins/spark.ts';
import { type Arguments, parseDuration } from './arguments.ts';
import { UsageError } from './usage-error.ts';

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
  const spark = sparkOptions(args);
  if (target.program.length > 0) {
    if (spark !== null) throw notForPrograms();
    const { openCommand } = await import('../plugins/command.ts');
    return openCommand([...target.program], limits ?? DEFAULT_LIMITS, { cwd: target.cwd });
  }
  return openImplementation(target.path, {
    ...(limits === null ? {} : { limits }),
    engine: args.value('engine'),
    sandbox: args.flag('sandbox'),
    spark,
    cwd: target.cwd,
  });
}

/** Null where no flag says anything of Spark. */
function sparkOptions(args: Arguments): SparkOptions | null {
  const [remote, master, catalog] = [
    args.value('spark-remote'),
    args.value('spark-master'),
    args.value('spark-catalog'),
  ];
  const lines = args.values('spark-conf');
  if (remote === null && master === null && catalog === null && lines.length === 0) return null;
  if (remote !== null && master !== null)
    throw new UsageError(
      '--spark-remote and --spark-master name two places to run at. Leave one of them out.',
    );
  if (remote !== null && !/^sc:\/\/[^/\s]+/.test(remote))
    throw new UsageError(
      `--spark-remote cannot be \`${remote}\`: a Spark Connect server is written sc://host:port. A cluster is named with --spark-master.`,
    );
  if (catalog !== null && remote === null && master === null && usualRemote() === null)
    throw new UsageError(
      `--spark-catalog ${catalog} says where on a cluster the tables are made, and Spark on this machine has a catalog of its own. Leave it out, or name a cluster with --spark-remote or --spark-master.`,
    );
  return { remote, master, catalog, conf: Object.fromEntries(lines.map(setting)) };
}

function setting(line: string): [string, string] {
  const at = line.indexOf('=');
  if (line.startsWith('spark.sql.session.timeZone='))
    throw new UsageError(
      '--spark-conf cannot set spark.sql.session.timeZone: every instant of a test is in UTC, and so is the session.',
    );
  if (at > 0) return [line.slice(0, at), line.slice(at + 1)];
  throw new UsageError(
    `--spark-conf cannot be \`${line}\`: write name=value, such as spark.driver.memory=4g.`,
  );
}

function notForPrograms(): UsageError {
  return new UsageError(
    'Flags of Spark are for Python files and SQL scripts that scd2check runs itself. A command that is run as it is gets its settings in its own arguments.',
  );
}
