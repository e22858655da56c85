import { loadProjectCases } from '../../cases/project.ts';
import { version } from '../cli/version.ts';
import { declareContract } from '../contract/declare.ts';
import { ImplementationFailure } from '../plugins/implementation.ts';
import { openIsolation } from '../plugins/isolation/isolation.ts';
import { watchDescendants } from '../plugins/isolation/watch.ts';
import { openImplementation } from '../plugins/open.ts';
import type { OpenedImplementation } from '../plugins/opened.ts';
import { requireClock } from '../plugins/set-clock.ts';
import type { Report } from '../runner/report.ts';
import { run } from '../runner/run.ts';
import { BARE_RUN } from '../runner/run-options.ts';
import { heeded } from './declared.ts';
import type { Job, JobResult } from './job.ts';
import { merged } from './merge.ts';
import { stable } from './stable.ts';

/**
 * Opens one submission in its isolation, sends it the work, and judges. To be called in a process that does nothing else: whatever that process
 * has started is the submission's, and is counted and ended together.
 */
export async function examine(job: Job, signal: AbortSignal): Promise<JobResult> {
  if (job.python !== null) process.env['SCD2CHECK_PYTHON'] = job.python;
  const exceeded = new Set<string>();
  const stopWatching = watchDescendants(job.isolation.limits, (words) => exceeded.add(words));
  let implementation: OpenedImplementation | null = null;
  try {
    implementation = anonymous(await open(job));
    const { declared, notes } = heeded(implementation.declared);
    const report = await judge(job, implementation, declared, signal);
    return stable(
      {
        outcome: 'judged',
        report,
        notes: [...notes, ...[...exceeded].map((words) => `It was ended: ${words}.`)],
      },
      job,
    );
  } catch (error) {
    if (!(error instanceof ImplementationFailure)) throw error;
    const [words] = exceeded;
    const reason = words === undefined ? error.message : `${error.message} It was ended: ${words}.`;
    return stable({ outcome: 'not-gradable', kind: error.kind, reason, stderr: error.stderr }, job);
  } finally {
    stopWatching();
    await implementation?.close();
  }
}

function open(job: Job): Promise<OpenedImplementation> {
  const { bubblewrap, ...options } = job.isolation;
  const isScript = job.file.toLowerCase().endsWith('.sql');
  return openImplementation(job.file, {
    limits: { startMs: Math.max(START_MS, job.timeoutMs), callMs: job.timeoutMs },
    engine: job.engine,
    sandbox: job.engine === 'duckdb',
    isolation: openIsolation(bubblewrap, { ...options, copy: isScript ? null : job.copy }),
  });
}

/** It is not told which feed it is sent: their names are those of cases, hidden ones among them. */
function anonymous(opened: OpenedImplementation): OpenedImplementation {
  return {
    ...opened,
    name: opened.name,
    // The columns are those of the exercise: the same work for all.
    anyColumns: false,
    start: (setup) => opened.start({ ...setup, feedId: 'graded' }),
    refusesClock: (clock, contract) => opened.refusesClock?.(clock, contract) ?? null,
    close: () => opened.close(),
  };
}

/** Interpreters and libraries come up here, several at a time. */
const START_MS = 30_000;

async function judge(
  job: Job,
  implementation: OpenedImplementation,
  declared: Parameters<typeof declareContract>[0][number],
  signal: AbortSignal,
): Promise<Report> {
  const [preset, ...teacher] = job.layers;
  const contract = declareContract([preset!, declared, ...teacher]);
  requireClock(implementation, contract.contract);
  const deadline = performance.now() + job.timeLimitMs;
  const part = (work: Partial<Parameters<typeof run>[0]>) =>
    run({
      ...BARE_RUN,
      implementation,
      declared: contract,
      projectCases: loadProjectCases(job.root),
      seed: job.work.seed,
      timeLimitMs: Math.max(1, deadline - performance.now()),
      version: version(),
      replay: (feedId) => replayed(feedId, job.name),
      root: job.traces,
      runId: 'graded',
      signal,
      ...work,
    });
  const { cases, scope, histories, maxFailures } = job.work;
  const whole = await part({ cases, scope, histories, maxFailures });
  return oneByOne(
    whole,
    (id) => part({ cases: [id] }),
    () => performance.now() < deadline && !signal.aborted,
  );
}

/** A case that ends the implementation takes those with it that were sent beside it. They are sent alone: one error must not hide the others. */
async function oneByOne(
  whole: Report,
  alone: (id: string) => Promise<Report>,
  mayGoOn: () => boolean,
): Promise<Report> {
  const unjudged = whole.cases.filter(({ verdict }) => verdict === 'inconclusive');
  // Where it does not even start, it would not start again.
  if (whole.problems.some(({ kind }) => NEVER.has(kind))) return whole;
  const parts: Report[] = [];
  let hanging = 0;
  for (const { id } of unjudged) {
    if (!mayGoOn() || hanging === MOST_HANGING) break;
    const part = await alone(id);
    hanging = part.problems.some(({ kind }) => kind === 'timeout') ? hanging + 1 : 0;
    parts.push(part);
  }
  return merged(whole, parts);
}

/** Cases in a row that run out of time, after which the others would too. */
const MOST_HANGING = 2;

const NEVER = new Set(['start', 'usage', 'interrupted']);

/** What a student types at home. Only named cases can be asked for there. */
function replayed(feedId: string, name: string): string {
  return feedId.startsWith('case/')
    ? `npx scd2check ./${name} --case ${feedId.slice('case/'.length)}`
    : `npx scd2check ./${name}`;
}
