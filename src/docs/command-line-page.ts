import { COMMAND_GROUPS, COMMANDS } from '../cli/commands.ts';
import { FLAGS, type Flag } from '../cli/flags.ts';
import { spelled } from '../cli/help.ts';
import { code, generated, listed, page, table } from './markdown.ts';

/** `docs/command-line.md`, made from the tables of flags and commands. */
export function commandLinePage(): string {
  return page(
    generated('`src/cli/commands.ts` and `src/cli/flags.ts`'),
    '# Command line',
    '`scd2check --help` and `scd2check <command> --help` print the same. Everything after `--` is a command to test: `scd2check --timeout 20s -- python3 load.py`.',
    '## Commands',
    ...Object.entries(COMMAND_GROUPS).flatMap(([group, title]) => [
      `### ${title}`,
      table(
        ['command', 'what it does'],
        COMMANDS.filter((command) => command.group === group).map(({ usage, help }) => [
          code(`scd2check ${usage}`),
          help,
        ]),
      ),
    ]),
    'Without a path, `scd2check` checks the `implementations` of the configuration file, one after the other.',
    '## Flags',
    'A flag belongs to the commands that are named beside it, or to every one.',
    table(['flag', 'of', 'what it does'], (FLAGS as readonly Flag[]).map(flagRow)),
    'A repeatable flag may be given several times; `--case`, `--check` and `--skip` also take a list with commas. Times are written `500ms`, `3s`, `5m`, `1h`, or as a number of seconds.',
    '`--case boundary` stands for the seven boundary cases.',
    '## Exit codes',
    table(
      ['code', 'meaning'],
      [
        ['0', 'all selected checks were exercised and held'],
        ['1', 'a violation'],
        ['2', 'wrong usage or configuration: the message says what, and names the nearest valid word'],
        [
          '3',
          'could not judge: no usable answer from the implementation, or a check that nothing put to the test',
        ],
        ['70', 'a fault of scd2check itself'],
        ['130', 'interrupted'],
      ],
    ),
    'Where several would apply, the first of 70, 2, 1, 3, 0 counts.',
    '## Environment',
    table(
      ['variable', 'what it does'],
      [
        ['`NO_COLOR`', 'no colours'],
        ['`FORCE_COLOR`', 'colours, even in a pipe'],
        ['`SCD2CHECK_PYTHON`', 'the Python that runs `.py` files, instead of the `python3` of the PATH'],
        ['`SCD2CHECK_DEBUG`', 'the stack trace of a fault of scd2check'],
      ],
    ),
  );
}

function flagRow({ name, value, many, help, of }: Flag): string[] {
  return [
    code(spelled({ name, value })),
    of === undefined ? 'all' : listed(of.map(code)),
    many ? `${help} (repeatable)` : help,
  ];
}
