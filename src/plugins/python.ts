import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { connect } from './command/hello.ts';
import { PYTHON_KIT, programEnvironment } from './command/package.ts';
import type { Program } from './command/program.ts';
import { quoteErrorStream } from './command/quote.ts';
import { protocolImplementation } from './command.ts';
import { type CallLimits, ImplementationFailure } from './implementation.ts';
import { interpreter } from './interpreter.ts';
import type { Isolation } from './isolation/isolation.ts';
import type { OpenedImplementation } from './opened.ts';
import { type SparkOptions, sparkEnvironment } from './spark.ts';

/**
 * Opens a Python file through the Python kit, which imports it and serves what it finds: a function `apply_scd2`, a
 * class with `apply` and `read`, or its own call of `serve`. The interpreter is `SCD2CHECK_PYTHON`, else the `python3`
 * or `python` of the PATH, so that an activated virtual environment is the one that is used.
 *
 * @throws ImplementationFailure `start` where there is no Python, or the file cannot be served.
 */
export async function openPython(
  path: string,
  limits: CallLimits,
  isolation: Isolation | null = null,
  spark: SparkOptions | null = null,
): Promise<OpenedImplementation> {
  const file = resolve(path);
  if (!existsSync(file))
    throw new ImplementationFailure('start', `There is no file \`${path}\`, so there is nothing to test.`);
  const env = { ...programEnvironment(), ...sparkEnvironment(spark) };
  // By its path: with `-m`, a folder `scd2check` where the harness was started would be taken for the kit.
  const own: Program = { argv: [interpreter(env), RUNNER, isolation?.inside(file) ?? file], env };
  const program = isolation?.confine(own) ?? own;
  const where = basename(path);
  try {
    const { client, greeting } = await connect(program, where, limits);
    return protocolImplementation({ program, where, limits, kind: 'python', client, greeting, isolation });
  } catch (failure) {
    throw failure instanceof ImplementationFailure ? cannotServe(path, failure) : failure;
  }
}

const RUNNER = join(PYTHON_KIT, 'scd2check', 'runner.py');

/** The kit's own words where it has some; else what happened while the file was imported, which is all that has run. */
export function cannotServe(
  path: string,
  { kind, message, stderr }: ImplementationFailure,
): ImplementationFailure {
  const words = /^scd2check: ([\s\S]*)/m.exec(stderr);
  const story =
    words !== null
      ? words[1]!.trimEnd()
      : kind === 'crash'
        ? `Python ended while it was importing it.${quoteErrorStream(stderr, 12)}`
        : `${message}${quoteErrorStream(stderr, 12)}`;
  return new ImplementationFailure(
    'start',
    `\`${path}\` cannot be tested yet. ${story}`,
    words === null ? stderr : '',
  );
}
