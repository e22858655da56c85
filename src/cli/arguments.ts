import { parseArgs } from 'node:util';
import { suggestion } from '../contract/nearest.ts';
import { LARGEST_SCOPE } from '../feed/largest-scope.ts';
import { COMMANDS, type CommandName } from './commands.ts';
import { FLAGS, type Flag, type FlagName, REFUSED } from './flags.ts';
import { UsageError } from './usage-error.ts';

export interface Arguments {
  readonly command: CommandName;
  readonly targets: readonly string[];
  /** What stands after `--`: a program and its arguments. */
  readonly program: readonly string[];
  flag(name: FlagName): boolean;
  value(name: FlagName): string | null;
  values(name: FlagName): readonly string[];
}

/** @throws UsageError for an unknown flag or a flag without its value */
export function parseArguments(argv: readonly string[]): Arguments {
  const end = argv.indexOf('--');
  const own = end < 0 ? argv : argv.slice(0, end);
  const { tokens } = parseArgs({
    args: [...own],
    options: parserOptions(),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind === 'option') addFlag(values, token.rawName, token.name, token.value);
  }
  const { command, targets } = split(positionals);
  for (const name of values.keys()) refuseForeign(name, command);
  const program = end < 0 ? [] : argv.slice(end + 1);
  return {
    command,
    targets: withSnapshot(targets, program, values.get('snapshot')?.at(-1)),
    program,
    flag: (name) => values.has(name),
    value: (name) => values.get(name)?.at(-1) ?? null,
    values: (name) =>
      (values.get(name) ?? []).flatMap((value) =>
        name === 'check' || name === 'skip' || name === 'case' ? value.split(',') : [value],
      ),
  };
}

/** A snapshot is a part of its project's path from here on, so that what is kept of a run says which one it was. */
function withSnapshot(
  targets: readonly string[],
  program: readonly string[],
  snapshot: string | undefined,
): readonly string[] {
  if (snapshot === undefined) return targets;
  if (program.length > 0)
    throw new UsageError('`--snapshot` goes with a dbt project, and not with a program.');
  const [project = '.', ...more] = targets;
  return [`${project}#${snapshot}`, ...more];
}

function parserOptions() {
  return Object.fromEntries(
    FLAGS.map(({ name, value }) => [
      name,
      { type: value === null ? ('boolean' as const) : ('string' as const) },
    ]),
  );
}

function addFlag(
  values: Map<string, string[]>,
  rawName: string,
  name: string,
  value: string | undefined,
): void {
  const flag: Flag | undefined = FLAGS.find((known) => known.name === name);
  const reason = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
  if (reason !== undefined) throw new UsageError(`There is no flag \`${rawName}\`. ${reason}`);
  if (flag === undefined) {
    throw new UsageError(
      `There is no flag \`${rawName}\`.${suggestion(
        name,
        FLAGS.map((known) => known.name),
      ).replace('`', '`--')}`,
    );
  }
  if (flag.value === null && value !== undefined)
    throw new UsageError(`\`--${name}\` takes no value, and got \`${value}\`.`);
  if (flag.value !== null && (value === undefined || value === ''))
    throw new UsageError(`\`--${name}\` needs a value: --${name} <${flag.value}>.`);
  values.set(name, [...(values.get(name) ?? []), value ?? '']);
}

/** A flag of another command would be passed over in silence. */
function refuseForeign(name: string, command: CommandName): void {
  const { of }: Flag = FLAGS.find((flag) => flag.name === name)!;
  if (of === undefined || of.includes(command)) return;
  throw new UsageError(
    `\`--${name}\` is no flag of \`${command}\`, but of ${of.map((one) => `\`${one}\``).join(', ')}. See \`scd2check ${command} --help\`.`,
  );
}

function split(positionals: readonly string[]): Pick<Arguments, 'command' | 'targets'> {
  const [first, ...rest] = positionals;
  const command = COMMANDS.find(({ name }) => name === first);
  if (command !== undefined) return { command: command.name, targets: rest };
  return { command: 'run', targets: positionals };
}

/** Milliseconds of `500ms`, `3s`, `5m`, `1h`, or a bare number of seconds. */
export function parseDuration(text: string, flag: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/.exec(text.trim());
  const unit = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[match?.[2] ?? 's']!;
  const milliseconds = Number(match?.[1]) * unit;
  if (match === null || !(milliseconds > 0))
    throw new UsageError(`\`${flag}\` cannot be \`${text}\`. Write a time such as 500ms, 3s or 5m.`);
  return milliseconds;
}

/** A flag that counts something; null where it is not given. */
export function countFlag(args: Arguments, name: 'scope' | 'histories' | 'max-failures'): number | null {
  const text = args.value(name);
  if (text === null) return null;
  if (!/^\d+$/.test(text)) throw new UsageError(`\`--${name}\` cannot be \`${text}\`. Write a whole number.`);
  if (name === 'max-failures' && Number(text) === 0)
    throw new UsageError(
      '`--max-failures` cannot be `0`, with which nothing could be found. Write 1 or more, or `--scope 0 --histories 0` for the named cases alone.',
    );
  if (name === 'scope') requireScope('--scope', Number(text));
  return Number(text);
}

/** @throws UsageError for a scope that would never end */
export function requireScope(name: string, scope: number): void {
  if (scope <= LARGEST_SCOPE) return;
  throw new UsageError(
    `\`${name}\` cannot be \`${scope}\`. Write ${LARGEST_SCOPE} or less: the histories and their orders multiply with each batch.`,
  );
}

/** A flag that counts what is shown or kept. */
export function wholeFlag(args: Arguments, name: 'examples' | 'store-limit', otherwise: number): number {
  const text = args.value(name);
  if (text === null) return otherwise;
  if (!/^\d{1,9}$/.test(text))
    throw new UsageError(`\`--${name}\` cannot be \`${text}\`. Write a whole number.`);
  return Number(text);
}
