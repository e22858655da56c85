import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { Ajv } from 'ajv';
import { loadProjectCases } from '../../cases/project.ts';
import { REPETITION_CHECKS } from '../checks/index.ts';
import { type Arguments, countFlag, parseDuration, requireScope } from '../cli/arguments.ts';
import { configLayer, flagLayer } from '../cli/contract-layers.ts';
import { UsageError } from '../cli/usage-error.ts';
import type { LoadedConfig } from '../config/load.ts';
import { declareContract } from '../contract/declare.ts';
import type { Declared } from '../contract/declared.ts';
import { contractToJson } from '../contract/print.ts';
import { DEFAULT_ISOLATION_LIMITS, type IsolationLimits } from '../plugins/isolation/isolation.ts';
import { parseEngine } from '../plugins/sql/engine-name.ts';
import type { ContractJson } from '../runner/report.ts';
import { GRADE_CONFIG_SCHEMA, type GradeConfig, type IsolationConfig } from './grade-config.ts';
import { readRubric } from './read-rubric.ts';
import { casesOf, type Rubric, type Work } from './rubric.ts';

/** Everything about a class but its submissions. Flags win over the configuration. */
export interface GradeSettings {
  readonly rubric: Rubric;
  readonly work: Work;
  /** What the teacher declares of the contract; what a submission says of itself does not count (`declared.ts`). */
  readonly layers: readonly (readonly Declared[])[];
  readonly contract: ContractJson;
  /** Name of the file to grade in a submission of several. */
  readonly file: string | null;
  readonly engine: string;
  readonly timeLimitMs: number;
  readonly timeoutMs: number;
  /** Submissions at a time. */
  readonly threads: number;
  readonly isolation: {
    readonly required: boolean;
    readonly limits: IsolationLimits;
    readonly readable: readonly string[];
    readonly environment: readonly string[];
  };
  /** The project's folder, for its own cases. */
  readonly root: string;
}

/** Small enough for half a processor, large enough that what knows the seven cases by heart is found out. */
const DEFAULT_SCOPE = 3;
const DEFAULT_HISTORIES = 200;

/** @throws UsageError where the section `grade`, the contract or a flag says what cannot be */
export function gradeSettings(args: Arguments, loaded: LoadedConfig, cwd: string): GradeSettings {
  const { root } = loaded;
  const where = loaded.path ?? 'configuration';
  const config = validated(loaded.config.grade, where);
  const rubric = readRubric(config.rubric, config.visibility, loadProjectCases(root), where);
  const layers = [
    [{ name: 'contract', value: 'strict', where: 'grade' }],
    configLayer(loaded.config.contract, where),
    flagLayer(args, cwd),
  ];
  const histories = countFlag(args, 'histories') ?? config.histories ?? DEFAULT_HISTORIES;
  const scope = countFlag(args, 'scope') ?? config.scope ?? DEFAULT_SCOPE;
  requireScope('grade.scope', scope);
  refuseUnreached(rubric, histories, where);
  return {
    rubric,
    work: {
      // The checks by repetition are part of a whole run only.
      cases: rubric.items.some(({ checks }) => checks.length > 0) ? null : casesOf(rubric),
      scope,
      histories,
      seed: seedOf(args, config),
      maxFailures: rubric.items.some(({ checks }) => checks.length > 0) ? 3 : 0,
    },
    layers,
    contract: contractToJson(declareContract(layers).contract),
    file: config.file ?? null,
    engine: engineOf(args),
    timeLimitMs: parseDuration(args.value('time-limit') ?? config.timeLimit ?? '2m', '--time-limit'),
    timeoutMs: parseDuration(args.value('timeout') ?? config.timeout ?? '5s', '--timeout'),
    threads: threadsOf(args, config),
    isolation: readIsolation(config.isolation ?? {}, root, where),
    root,
  };
}

function validated(section: unknown, where: string): GradeConfig {
  const validate = new Ajv({ allErrors: true }).compile(GRADE_CONFIG_SCHEMA);
  if (section === undefined || validate(section)) return (section ?? {}) as GradeConfig;
  const { instancePath, message = 'is not as it should be', params } = validate.errors![0]!;
  const strange = (params as { additionalProperty?: string }).additionalProperty;
  const place = `grade${instancePath.replaceAll('/', '.')}`;
  throw new UsageError(
    strange === undefined
      ? `${where}: \`${place}\` ${message}.`
      : `${where}: \`${place}\` has no setting \`${strange}\`.`,
  );
}

/** A check that is never put to the test would cost everybody its points, or nobody. */
function refuseUnreached({ items }: Rubric, histories: number, where: string): void {
  if (histories > 0) return;
  const repeated = items.find(({ checks }) =>
    checks.some((id) => REPETITION_CHECKS.some((one) => one.id === id)),
  );
  if (repeated !== undefined)
    throw new UsageError(
      `${where}: item \`${repeated.id}\` of the rubric has checks by repetition, which no run without histories reaches. Set grade.histories, or leave them out.`,
    );
}

/** Embedded, so that each submission has one to itself; what it says of an engine does not count. */
function engineOf(args: Arguments): string {
  const { kind, url } = parseEngine(args.value('engine') ?? 'duckdb', '--engine');
  if (url === null) return kind;
  throw new UsageError(
    '`grade` runs SQL in an engine of its own for each submission, without network, and `--engine` names a server. Name duckdb, sqlite or postgres (embedded).',
  );
}

function seedOf(args: Arguments, config: GradeConfig): number {
  const text = args.value('seed') ?? String(config.seed ?? 1);
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(
    `\`--seed\` cannot be \`${text}\` in \`grade\`: all submissions get the same work, and get it again when it is repeated. Write a whole number.`,
  );
}

function threadsOf(args: Arguments, config: GradeConfig): number {
  const text = args.value('threads');
  if (text === null) return config.threads ?? Math.max(1, Math.min(4, availableParallelism()));
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new UsageError(`\`--threads\` cannot be \`${text}\`. Write how many submissions to grade at a time.`);
}

function readIsolation(config: IsolationConfig, root: string, where: string): GradeSettings['isolation'] {
  const { memory, disk, processes, required = false, readable = [], environment = [] } = config;
  const limits = {
    memoryBytes:
      memory === undefined
        ? DEFAULT_ISOLATION_LIMITS.memoryBytes
        : size(memory, `${where}: grade.isolation.memory`),
    diskBytes:
      disk === undefined ? DEFAULT_ISOLATION_LIMITS.diskBytes : size(disk, `${where}: grade.isolation.disk`),
    processes: processes ?? DEFAULT_ISOLATION_LIMITS.processes,
  };
  if (limits.memoryBytes < SMALLEST_BYTES || limits.processes < FEWEST_PROCESSES)
    throw new UsageError(
      `${where}: with less than ${SMALLEST_BYTES / 2 ** 20} MiB or ${FEWEST_PROCESSES} processes and threads, nothing would start (grade.isolation).`,
    );
  return { required, limits, readable: readable.map((path) => resolve(root, path)), environment };
}

/** Node, with DuckDB in it, takes about half of this. */
const SMALLEST_BYTES = 256 * 2 ** 20;
const FEWEST_PROCESSES = 32;

const UNITS: Readonly<Record<string, number>> = {
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
};

function size(text: string, where: string): number {
  const [, number, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([KMG]i?B)\s*$/i.exec(text) ?? [];
  if (number === undefined)
    throw new UsageError(`${where} cannot be \`${text}\`. Write a size: 1GiB, 500MB.`);
  return Math.round(Number(number) * UNITS[unit.toUpperCase()]!);
}
