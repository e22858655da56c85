import { COMMAND_GROUPS, COMMANDS, type Command, type CommandName } from './commands.ts';
import { FLAGS, type Flag } from './flags.ts';

const INDENT = '  ';

/** What `--help` prints: every command by group, and the flags of a run. */
export function helpText(version: string): string {
  const usages = COMMANDS.map(({ usage }) => `scd2check ${usage}`);
  const width = Math.max(...usages.map(({ length }) => length));
  const groups = Object.entries(COMMAND_GROUPS).flatMap(([group, title]) => [
    title,
    ...COMMANDS.filter((command) => command.group === group).map(
      ({ usage, help }) => `${INDENT}${`scd2check ${usage}`.padEnd(width)}  ${help}`,
    ),
    '',
  ]);
  return [
    `scd2check ${version}: is your slowly changing dimension (type 2, or 1, 3, 4 or 6) right?`,
    '',
    ...groups,
    ...examplesOf(COMMANDS[0]),
    '',
    'Flags of a run (those of another command: scd2check <command> --help)',
    ...flagLines(flagsOf('run')),
    '',
    EXIT_CODES,
    '',
  ].join('\n');
}

/** What `<command> --help` prints. */
export function commandHelp(name: CommandName): string {
  const command: Command = COMMANDS.find((one) => one.name === name)!;
  return [
    `scd2check ${command.usage}`,
    `${INDENT}${command.help}`,
    '',
    ...examplesOf(command),
    '',
    'Flags',
    ...flagLines(flagsOf(name)),
    '',
    EXIT_CODES,
    '',
  ].join('\n');
}

const EXIT_CODES =
  'Exit codes: 0 held · 1 a violation · 2 wrong usage · 3 could not judge · 70 a fault of scd2check · 130 interrupted';

/** Those of the command first, then those that every command has. */
export function flagsOf(name: CommandName): readonly Flag[] {
  const all: readonly Flag[] = FLAGS;
  return [...all.filter(({ of }) => of?.includes(name)), ...all.filter(({ of }) => of === undefined)];
}

function examplesOf({ examples }: Command): string[] {
  return ['Examples', ...examples.map((example) => INDENT + example)];
}

function flagLines(flags: readonly Flag[]): string[] {
  const width = Math.max(...flags.map((flag) => spelled(flag).length));
  return flags.map((flag) => `${INDENT}${spelled(flag).padEnd(width)}  ${flag.help}`);
}

export function spelled({ name, value }: Pick<Flag, 'name' | 'value'>): string {
  return `--${name}${value === null ? '' : ` <${value}>`}`;
}
