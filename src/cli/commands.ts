/** One typed table of commands. */
export interface Command {
  readonly name: string;
  /** Under which heading the help lists it. */
  readonly group: CommandGroup;
  readonly usage: string;
  readonly help: string;
  readonly examples: readonly string[];
}

export const COMMAND_GROUPS = {
  code: 'Code that loads a dimension',
  table: 'Tables that exist',
  people: 'Reports, teams and classes',
  start: 'To begin with',
} as const;

export type CommandGroup = keyof typeof COMMAND_GROUPS;

export const COMMANDS = [
  {
    name: 'run',
    group: 'code',
    usage: '[run] <impl>',
    help: 'check an implementation: a SQL script, a JS/TS module, a Python file, a folder',
    examples: [
      'scd2check ./dim_customer.sql',
      'scd2check ./dim_customer.sql --case boundary --scope 0 --histories 0',
      'scd2check ./load.py --contract daily-merge --reporter html:report.html',
      'scd2check --timeout 20s -- java -jar load.jar',
    ],
  },
  {
    name: 'probe',
    group: 'code',
    usage: 'probe <impl>',
    help: 'which contract does it follow? (--write declares it)',
    examples: ['scd2check probe ./dim_customer.sql', 'scd2check probe ./dim_customer.sql --write'],
  },
  {
    name: 'break',
    group: 'code',
    usage: 'break <impl.sql>',
    help: 'make mistakes in a script that is right, one at a time: which would be caught?',
    examples: ['scd2check break ./dim_customer.sql'],
  },
  {
    name: 'replay',
    group: 'code',
    usage: 'replay [id|file …]',
    help: 'run stored counterexamples again: fixed, still fails, or cannot replay',
    examples: ['scd2check replay', 'scd2check replay version-count-1a2b3c4d --promote'],
  },
  {
    name: 'doctor',
    group: 'code',
    usage: 'doctor <impl>',
    help: 'does the adapter work at all?',
    examples: ['scd2check doctor ./load.py'],
  },
  {
    name: 'expected',
    group: 'code',
    usage: 'expected <feed>',
    help: 'what the oracle says after each batch of a feed; no implementation needed',
    examples: ['scd2check expected feed.json --contract daily-merge'],
  },
  {
    name: 'audit',
    group: 'table',
    usage: 'audit <table>',
    help: 'check a dimension that exists: Parquet, CSV, JSON, Arrow, file.duckdb#table, a database URL',
    examples: [
      'scd2check audit dim_customer.parquet --key customer_id --tracked segment,region',
      'scd2check audit dim_customer.parquet --facts orders.parquet --fact-time ordered_at --amount amount',
      'scd2check audit warehouse.duckdb#dim_customer --baseline known.txt --threshold contiguous=0.1%',
      'scd2check audit postgres://localhost/dwh#dim_customer',
    ],
  },
  {
    name: 'compare',
    group: 'table',
    usage: 'compare <old> <new>',
    help: 'two tables as histories, by key and time: did a migration keep them?',
    examples: ['scd2check compare old.parquet new.parquet --key customer_id'],
  },
  {
    name: 'grade',
    group: 'people',
    usage: 'grade <impl …>',
    help: 'check many and score them: files, folders, patterns, a .zip; each kept apart from all else',
    examples: [
      'scd2check grade submissions.zip --reporter table --reporter html:pages/',
      "scd2check grade 'students/*/solution.sql' --reporter csv:grades.csv --threads 2",
    ],
  },
  {
    name: 'report',
    group: 'people',
    usage: 'report <run>',
    help: 'render a run that is over again, by any reporter: its id, `last`, or the path of a report.json',
    examples: ['scd2check report last --reporter html:report.html'],
  },
  {
    name: 'worksheet',
    group: 'people',
    usage: 'worksheet',
    help: 'the boundary cases as questions; --check, --contract-from, --predict',
    examples: ['scd2check worksheet > answers.csv', 'scd2check worksheet --check answers.csv'],
  },
  {
    name: 'init',
    group: 'start',
    usage: 'init [folder]',
    help: 'a starter implementation, a configuration and a CI workflow',
    examples: ['scd2check init', 'scd2check init ./dims --kind sql --contract daily-merge --ci github'],
  },
  {
    name: 'explain',
    group: 'start',
    usage: 'explain <check|case>',
    help: 'what a check or a case is about',
    examples: ['scd2check explain contiguous', 'scd2check explain late-arrival'],
  },
  {
    name: 'list',
    group: 'start',
    usage: 'list',
    help: 'checks, cases, contracts and reporters',
    examples: ['scd2check list'],
  },
  {
    name: 'completion',
    group: 'start',
    usage: 'completion <shell>',
    help: 'completion for bash, zsh or fish',
    examples: ['source <(scd2check completion bash)', 'scd2check completion fish | source'],
  },
] as const satisfies readonly Command[];

export type CommandName = (typeof COMMANDS)[number]['name'];
