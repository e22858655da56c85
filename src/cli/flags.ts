import { LARGEST_SCOPE } from '../feed/largest-scope.ts';
import type { CommandName } from './commands.ts';

/** One typed table of flags: parsing, help, completion and validation are made from it. */
export interface Flag {
  readonly name: string;
  /** The commands that it belongs to; every one where it is left out. */
  readonly of?: readonly CommandName[];
  /** What stands for its value in the help; null where it takes none. */
  readonly value: string | null;
  readonly many?: true;
  readonly help: string;
}

/** Commands that open an implementation. */
const OPENING = [
  'run',
  'probe',
  'break',
  'doctor',
  'replay',
  'worksheet',
] as const satisfies readonly CommandName[];

/** Commands that take a contract. */
const JUDGING = [
  ...OPENING,
  'expected',
  'audit',
  'compare',
  'init',
] as const satisfies readonly CommandName[];

export const FLAGS = [
  {
    name: 'contract',
    of: JUDGING,
    value: 'preset|file',
    help: 'the contract to judge by: a preset, or a JSON file',
  },
  {
    name: 'set',
    of: JUDGING,
    value: 'field=option',
    many: true,
    help: 'one field or column of the contract, e.g. --set deletes=ignore',
  },
  {
    name: 'print-contract',
    of: ['run', 'audit'],
    value: null,
    help: 'print the contract that would be judged by, and stop',
  },
  { name: 'case', of: ['run', 'worksheet'], value: 'id', many: true, help: 'only these cases' },
  { name: 'no-cases', of: ['run'], value: null, help: 'no named cases' },
  { name: 'feed', of: ['run'], value: 'file', help: 'run just this feed (JSON)' },
  {
    name: 'check',
    of: ['run', 'audit', 'worksheet'],
    value: 'id',
    many: true,
    help: 'only these checks; `worksheet`: the filled worksheet',
  },
  { name: 'skip', of: ['run', 'audit'], value: 'id', many: true, help: 'not these checks' },
  {
    name: 'scope',
    of: ['run', 'break', 'worksheet', 'grade'],
    value: 'n',
    help: `every history of up to n batches (0: none; at most ${LARGEST_SCOPE})`,
  },
  { name: 'histories', of: ['run', 'worksheet', 'grade'], value: 'n', help: 'random histories (0: none)' },
  {
    name: 'illegal',
    of: ['run'],
    value: null,
    help: 'also send what the contract excludes: refused, or a sound table',
  },
  { name: 'seed', of: ['run', 'grade'], value: 'n|random', help: 'seed of the random histories' },
  {
    name: 'time-limit',
    of: ['run', 'break', 'replay', 'worksheet', 'grade'],
    value: 'time',
    help: 'for the whole run (default 5m)',
  },
  {
    name: 'timeout',
    of: [...OPENING, 'grade'],
    value: 'time',
    help: 'for each call, a bare number in seconds (default 30s to start, 10s for a batch)',
  },
  { name: 'max-failures', of: ['run'], value: 'n', help: 'findings to look for (default 5)' },
  { name: 'bail', of: ['run'], value: null, help: 'stop at the first case that fails' },
  {
    name: 'reporter',
    of: ['run', 'audit', 'compare', 'probe', 'expected', 'report', 'worksheet', 'grade'],
    value: 'name[:file]',
    many: true,
    help: 'terminal, html, markdown, github, gitlab, junit, ctrf, json, ndjson, or a module of yours; `:-` is stdout; `grade`: table, csv, json, html, gradescope, prairielearn, classroom50, junit',
  },
  {
    name: 'join',
    of: ['run', 'replay', 'worksheet', 'audit'],
    value: 'predicate',
    help: 'your own as-of join, over f (f.ts) and v, e.g. "f.ts BETWEEN v.valid_from AND v.valid_to"',
  },
  {
    name: 'engine',
    of: [...OPENING, 'audit', 'grade'],
    value: 'name|url|command',
    help: 'where a SQL script runs: duckdb, sqlite, postgres, postgres://…, mysql://…, spark, spark-delta; `audit`: a client that reads SQL and prints CSV or JSON',
  },
  {
    name: 'spark-remote',
    of: OPENING,
    value: 'sc://host:port',
    help: 'Spark Connect: run what needs Spark there, in a scratch schema that is dropped at the end',
  },
  {
    name: 'spark-master',
    of: OPENING,
    value: 'url',
    help: 'a Spark cluster, such as spark://host:7077, in place of this machine',
  },
  {
    name: 'spark-catalog',
    of: OPENING,
    value: 'name',
    help: 'the catalog that the scratch schema is made in (default: the current one of the session)',
  },
  {
    name: 'spark-conf',
    of: OPENING,
    value: 'name=value',
    many: true,
    help: 'a setting of the Spark session, e.g. --spark-conf spark.driver.memory=4g',
  },
  {
    name: 'snapshot',
    of: ['run', 'probe', 'doctor', 'worksheet'],
    value: 'name',
    help: 'the snapshot of a dbt project; the same as <project>#<name>',
  },
  { name: 'sandbox', of: OPENING, value: null, help: 'keep SQL scripts from files and settings' },
  {
    name: 'oracle',
    of: ['expected'],
    value: 'duckdb|typescript',
    help: 'which oracle `expected` asks (default duckdb)',
  },
  {
    name: 'key',
    of: ['audit', 'compare'],
    value: 'columns',
    many: true,
    help: 'the key, where its name does not tell',
  },
  { name: 'tracked', of: ['audit', 'compare'], value: 'columns', many: true, help: 'the tracked attributes' },
  {
    name: 'source',
    of: ['audit'],
    value: 'table',
    help: 'the source as it is now, against the open versions',
  },
  {
    name: 'previous',
    of: ['audit'],
    value: 'table',
    help: 'an earlier copy of the table, or a digest of one',
  },
  {
    name: 'write-digest',
    of: ['audit'],
    value: 'file',
    help: 'keep a digest of closed history for --previous',
  },
  {
    name: 'facts',
    of: ['audit'],
    value: 'table',
    help: 'facts that are joined to the table as of their time',
  },
  {
    name: 'fact-key',
    of: ['audit'],
    value: 'columns',
    help: 'key columns of the facts (default: as the table’s)',
  },
  { name: 'fact-time', of: ['audit'], value: 'column', help: 'the time of a fact' },
  { name: 'amount', of: ['audit'], value: 'column', help: 'the amount of a fact (default: each counts 1)' },
  {
    name: 'severity',
    of: ['audit'],
    value: 'check=level',
    many: true,
    help: 'error, warn or off; `all=` for all checks',
  },
  {
    name: 'threshold',
    of: ['audit'],
    value: 'check=n|n%',
    many: true,
    help: 'violations, or share of keys, that are allowed',
  },
  { name: 'warn-error', of: ['audit'], value: null, help: 'warnings fail too' },
  { name: 'baseline', of: ['audit'], value: 'file', help: 'what it lists is known and does not fail' },
  { name: 'write-baseline', of: ['audit'], value: 'file', help: 'list what was found, for --baseline' },
  {
    name: 'keys-where',
    of: ['audit'],
    value: 'condition',
    help: 'only keys with a version for which this is true',
  },
  {
    name: 'changed-since',
    of: ['audit'],
    value: 'time',
    help: 'only keys with a version that began or ended since',
  },
  { name: 'min-age', of: ['audit'], value: 'time', help: 'not the keys that were touched more recently' },
  { name: 'sample', of: ['audit'], value: 'share', help: 'only so many of the keys, e.g. 5%' },
  {
    name: 'dry-run',
    of: ['audit'],
    value: null,
    help: 'print the SQL, the columns and an estimate, and stop',
  },
  {
    name: 'examples',
    of: ['audit', 'compare'],
    value: 'n',
    help: 'findings of each check that are shown (default 5)',
  },
  {
    name: 'store-failures',
    of: ['audit'],
    value: 'file',
    help: 'write offending rows to a .csv, .json or .parquet',
  },
  { name: 'store-limit', of: ['audit'], value: 'n', help: 'at most so many of them (default 10000)' },
  {
    name: 'show-values',
    of: ['audit'],
    value: null,
    help: 'show attribute values, not only keys and bounds',
  },
  { name: 'sensitive', of: ['audit'], value: 'columns', help: 'columns that are shown as a hash everywhere' },
  { name: 'exact', of: ['audit'], value: null, help: 'look at every key closely, without the screen' },
  {
    name: 'memory-limit',
    of: ['audit', 'compare'],
    value: 'size',
    help: 'e.g. 8GiB; what is more goes to disk',
  },
  {
    name: 'threads',
    of: ['audit', 'compare', 'grade'],
    value: 'n',
    help: 'threads to use; `grade`: submissions at a time',
  },
  {
    name: 'print-sql',
    of: ['audit'],
    value: null,
    help: 'print the checks as SQL for another engine, and stop',
  },
  {
    name: 'dialect',
    of: ['audit'],
    value: 'name',
    help: 'which SQL: duckdb, postgres, mysql, sqlite, spark, …',
  },
  { name: 'promote', of: ['replay'], value: null, help: 'make the counterexample a case of the project' },
  {
    name: 'write',
    of: ['probe'],
    value: null,
    help: 'write what was found into the script or configuration',
  },
  {
    name: 'contract-from',
    of: ['worksheet'],
    value: 'file',
    help: 'the contract that a filled worksheet asks for',
  },
  { name: 'predict', of: ['worksheet'], value: null, help: 'say which case fails before it is run' },
  {
    name: 'kind',
    of: ['init'],
    value: 'kind',
    help: 'what the starter is written in: sql, typescript or python',
  },
  {
    name: 'ci',
    of: ['init'],
    value: 'ci',
    help: 'for which CI a workflow is written: github, gitlab or none',
  },
  { name: 'config', value: 'file', help: 'configuration file' },
  { name: 'full', value: null, help: 'every finding and row' },
  { name: 'no-color', value: null, help: 'no colours' },
  { name: 'quiet', value: null, help: 'only the verdict, and why there is none' },
  { name: 'help', value: null, help: 'this text' },
  { name: 'version', value: null, help: 'the version' },
] as const satisfies readonly Flag[];

export type FlagName = (typeof FLAGS)[number]['name'];

/** Flags that people expect and that there is a reason not to have. */
export const REFUSED: Readonly<Record<string, string>> = {
  where:
    'A filter on rows cuts versions off from their neighbours: it invents gaps and hides overlaps. Choose keys, with all their versions: `--keys-where "<condition>"`, or `--changed-since <time>`.',
};
