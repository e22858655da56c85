import { basename, join } from 'node:path';
import { UsageError } from '../cli/usage-error.ts';
import { connect } from './command/hello.ts';
import { PYTHON_KIT, programEnvironment } from './command/package.ts';
import type { Program } from './command/program.ts';
import { protocolImplementation } from './command.ts';
import { type CallLimits, ImplementationFailure } from './implementation.ts';
import { interpreter } from './interpreter.ts';
import type { OpenedImplementation } from './opened.ts';
import { cannotServe } from './python.ts';

/** dbt parses a whole project before it begins, and a load of it takes longer than one of a script. */
export const DBT_LIMITS: CallLimits = { startMs: 300_000, callMs: 60_000 };

const RUNNER = join(PYTHON_KIT, 'scd2check', 'dbt', 'runner.py');

/**
 * Opens a snapshot of a dbt project, in the Python that `.py` files are run by: dbt has to be installed there. The Python kit parses the
 * project, declares the contract that the snapshot's configuration asks for, and runs each load by dbt, in one process, on the project's own
 * target: in a scratch database (DuckDB) or schema (PostgreSQL), over tables that take the place of what the snapshot reads.
 *
 * @param snapshot its name; null where the project has only one
 * @throws UsageError where there is no such snapshot, or no dbt
 * @throws ImplementationFailure `start` where dbt cannot parse the project, or the snapshot cannot be tested
 */
export async function openDbt(
  folder: string,
  snapshot: string | null,
  limits: CallLimits,
): Promise<OpenedImplementation> {
  // The clock of a PostgreSQL session is not the machine's: what it shows as local is UTC too.
  const env = { ...programEnvironment(), PGTZ: 'UTC', PYTHONDONTWRITEBYTECODE: '1' };
  const argv = [interpreter(env), RUNNER, folder, ...(snapshot === null ? [] : [snapshot])];
  const program: Program = { argv, env, cwd: folder };
  const where = snapshot === null ? basename(folder) : `${basename(folder)}#${snapshot}`;
  try {
    const { client, greeting } = await connect(program, where, limits);
    const opened = { program, where, limits, kind: 'dbt', client, greeting, isolation: null } as const;
    return {
      ...protocolImplementation(opened),
      refusesClock: () =>
        'a snapshot reads the clock in its macro `snapshot_get_time`, which is set to the instant of each batch',
    };
  } catch (failure) {
    if (!(failure instanceof ImplementationFailure)) throw failure;
    const usage = /^scd2check usage: (.*)/m.exec(failure.stderr);
    throw usage === null ? cannotServe(where, failure) : new UsageError(`\`${folder}\`: ${usage[1]!}`);
  }
}
