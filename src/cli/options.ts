/** One typed table of flags: parsing, help and validation are made from it. */
export interface Flag {
  readonly name: string;
  /** What stands for its value in the help; null where it takes none. */
  readonly value: string | null;
  readonly many?: true;
  readonly help: string;
}

export const FLAGS = [
  { name: 'contract', value: 'preset|file', help: 'the contract to judge by: a preset, or a JSON file' },
  {
    name: 'set',
    value: 'field=option',
    many: true,
    help: 'one field or column of the contract, e.g. --set deletes=ignore',
  },
  { name: 'print-contract', value: null, help: 'print the contract that would be judged by, and stop' },
  { name: 'case', value: 'id', many: true, help: 'only these cases' },
  { name: 'no-cases', value: null, help: 'no named cases' },
  { name: 'feed', value: 'file', help: 'run just this feed (JSON)' },
  { name: 'check', value: 'id', many: true, help: 'only these checks; `worksheet`: the filled worksheet' },
  { name: 'skip', value: 'id', many: true, help: 'not these checks' },
  { name: 'scope', value: 'n', help: 'every history of up to n batches (0: none)' },
  { name: 'histories', value: 'n', help: 'random histories (0: none)' },
  { name: 'illegal', value: null, help: 'also send what the contract excludes: refused, or a sound table' },
  { name: 'seed', value: 'n|random', help: 'seed of the random histories' },
  { name: 'time-limit', value: 'time', help: 'for the whole run (default 5m)' },
  { name: 'timeout', value: 'time', help: 'for each call (default 30s to start, 10s for a batch)' },
  { name: 'max-failures', value: 'n', help: 'findings to look for (default 5)' },
  { name: 'bail', value: null, help: 'stop at the first case that fails' },
  {
    name: 'reporter',
    value: 'name[:file]',
    many: true,
    help: 'terminal, html, markdown, github, gitlab, junit, ctrf, json, ndjson, or a module of yours; `:-` is stdout; `grade`: table, csv, json, html, gradescope, prairielearn, classroom50, junit',
  },
  {
    name: 'join',
    value: 'predicate',
    help: 'your own as-of join, over f (f.ts) and v, e.g. "f.ts BETWEEN v.valid_from AND v.valid_to"',
  },
  {
    name: 'engine',
    value: 'name|url|command',
    help: 'where a SQL script runs: duckdb, sqlite, postgres, postgres://…, mysql://…; `audit`: a client that reads SQL and prints CSV or JSON',
  },
  { name: 'sandbox', value: null, help: 'keep SQL scripts from files and settings' },
  { name: 'oracle', value: 'duckdb|typescript', help: 'which oracle `expected` asks (default duckdb)' },
  { name: 'key', value: 'columns', many: true, help: '`audit`: the key, where its name does not tell' },
  { name: 'tracked', value: 'columns', many: true, help: '`audit`: the tracked attributes' },
  { name: 'source', value: 'table', help: '`audit`: the source as it is now, against the open versions' },
  { name: 'previous', value: 'table', help: '`audit`: an earlier copy of the table, or a digest of one' },
  { name: 'write-digest', value: 'file', help: '`audit`: keep a digest of closed history for --previous' },
  { name: 'facts', value: 'table', help: '`audit`: facts that are joined to the table as of their time' },
  { name: 'fact-key', value: 'columns', help: '`audit`: key columns of the facts (default: as the table’s)' },
  { name: 'fact-time', value: 'column', help: '`audit`: the time of a fact' },
  { name: 'amount', value: 'column', help: '`audit`: the amount of a fact (default: each counts 1)' },
  {
    name: 'severity',
    value: 'check=level',
    many: true,
    help: '`audit`: error, warn or off; `all=` for all checks',
  },
  {
    name: 'threshold',
    value: 'check=n|n%',
    many: true,
    help: '`audit`: violations, or share of keys, that are allowed',
  },
  { name: 'warn-error', value: null, help: '`audit`: warnings fail too' },
  { name: 'baseline', value: 'file', help: '`audit`: what it lists is known and does not fail' },
  { name: 'write-baseline', value: 'file', help: '`audit`: list what was found, for --baseline' },
  {
    name: 'keys-where',
    value: 'condition',
    help: '`audit`: only keys with a version for which this is true',
  },
  {
    name: 'changed-since',
    value: 'time',
    help: '`audit`: only keys with a version that began or ended since',
  },
  { name: 'min-age', value: 'time', help: '`audit`: not the keys that were touched more recently' },
  { name: 'sample', value: 'share', help: '`audit`: only so many of the keys, e.g. 5%' },
  { name: 'dry-run', value: null, help: '`audit`: print the SQL, the columns and an estimate, and stop' },
  { name: 'examples', value: 'n', help: '`audit`: findings of each check that are shown (default 5)' },
  {
    name: 'store-failures',
    value: 'file',
    help: '`audit`: write offending rows to a .csv, .json or .parquet',
  },
  { name: 'store-limit', value: 'n', help: '`audit`: at most so many of them (default 10000)' },
  { name: 'show-values', value: null, help: '`audit`: show attribute values, not only keys and bounds' },
  { name: 'sensitive', value: 'columns', help: '`audit`: columns that are shown as a hash everywhere' },
  { name: 'exact', value: null, help: '`audit`: look at every key closely, without the screen' },
  { name: 'memory-limit', value: 'size', help: '`audit`: e.g. 8GiB; what is more goes to disk' },
  { name: 'threads', value: 'n', help: '`audit`: threads to use; `grade`: submissions at a time' },
  { name: 'print-sql', value: null, help: '`audit`: print the checks as SQL for another engine, and stop' },
  { name: 'dialect', value: 'name', help: '`audit`: which SQL: duckdb, postgres, mysql, sqlite, spark, …' },
  { name: 'promote', value: null, help: '`replay`: make the counterexample a case of the project' },
  { name: 'write', value: null, help: '`probe`: write what was found into the script or configuration' },
  {
    name: 'contract-from',
    value: 'file',
    help: '`worksheet`: the contract that a filled worksheet asks for',
  },
  { name: 'predict', value: null, help: '`worksheet`: say which case fails before it is run' },
  { name: 'config', value: 'file', help: 'configuration file' },
  { name: 'full', value: null, help: 'every finding and row' },
  { name: 'no-color', value: null, help: 'no colours' },
  { name: 'quiet', value: null, help: 'only the verdict' },
  { name: 'help', value: null, help: 'this text' },
  { name: 'version', value: null, help: 'the version' },
] as const satisfies readonly Flag[];

export type FlagName = (typeof FLAGS)[number]['name'];

export interface Command {
  readonly name: string;
  readonly usage: string;
  readonly help: string;
}

/** Flags that people expect and that there is a reason not to have. */
export const REFUSED: Readonly<Record<string, string>> = {
  where:
    'A filter on rows cuts versions off from their neighbours: it invents gaps and hides overlaps. Choose keys, with all their versions: `--keys-where "<condition>"`, or `--changed-since <time>`.',
};

export const COMMANDS = [
  {
    name: 'run',
    usage: '[run] <impl>',
    help: 'check an implementation: a SQL script, a JS/TS module, a Python file, a folder',
  },
  {
    name: 'expected',
    usage: 'expected <feed>',
    help: 'what the oracle says after each batch of a feed; no implementation needed',
  },
  {
    name: 'replay',
    usage: 'replay [id|file …]',
    help: 'run stored counterexamples again: fixed, still fails, or cannot replay',
  },
  {
    name: 'break',
    usage: 'break <impl.sql>',
    help: 'make mistakes in a script that is right, one at a time: which would be caught?',
  },
  {
    name: 'audit',
    usage: 'audit <table>',
    help: 'check a dimension that exists: Parquet, CSV, JSON, Arrow, file.duckdb#table, a database URL',
  },
  {
    name: 'probe',
    usage: 'probe <impl>',
    help: 'which contract does it follow? (--write declares it)',
  },
  {
    name: 'report',
    usage: 'report <run>',
    help: 'render a run that is over again, by any reporter: its id, `last`, or the path of a report.json',
  },
  {
    name: 'grade',
    usage: 'grade <impl …>',
    help: 'check many and score them: files, folders, patterns, a .zip; each kept apart from all else',
  },
  { name: 'doctor', usage: 'doctor <impl>', help: 'does the adapter work at all?' },
  {
    name: 'worksheet',
    usage: 'worksheet',
    help: 'the boundary cases as questions; --check, --contract-from, --predict',
  },
  { name: 'explain', usage: 'explain <check|case>', help: 'what a check or a case is about' },
  { name: 'list', usage: 'list', help: 'checks, cases, contracts and reporters' },
] as const satisfies readonly Command[];

/** Commands of the design that this version does not have yet. */
export const LATER = ['compare', 'init'] as const;

export function helpText(version: string): string {
  const width = Math.max(
    ...FLAGS.map((flag) => spelled(flag).length),
    ...COMMANDS.map(({ usage }) => usage.length),
  );
  return [
    `scd2check ${version}: is your slowly changing dimension (type 2) right?`,
    '',
    'Usage',
    ...COMMANDS.map(({ usage, help }) => `  scd2check ${usage.padEnd(width - 8)}  ${help}`),
    '  scd2check [flags] -- <command …>',
    '',
    'Flags',
    ...FLAGS.map((flag) => `  ${spelled(flag).padEnd(width)}  ${flag.help}`),
    '',
    'Exit codes: 0 held · 1 a violation · 2 wrong usage · 3 could not judge · 70 a fault of scd2check · 130 interrupted',
    '',
  ].join('\n');
}

function spelled({ name, value }: Flag): string {
  return `--${name}${value === null ? '' : ` <${value}>`}`;
}
