import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { UsageError } from '../cli/usage-error.ts';
import { version } from '../cli/version.ts';
import { programEnvironment } from '../plugins/command/package.ts';
import { findBubblewrap } from '../plugins/isolation/bubblewrap.ts';
import { findPython } from '../plugins/isolation/find-python.ts';
import { openIsolation } from '../plugins/isolation/isolation.ts';
import type { Gradebook, Graded, IsolationReport } from './gradebook.ts';
import type { Job, JobResult } from './job.ts';
import { examineAll } from './pool.ts';
import { maximumOf } from './rubric.ts';
import { findingsOf, scoreItems, totalOf } from './score.ts';
import type { GradeSettings } from './settings.ts';
import { similarFailures } from './similar.ts';
import { findSubmissions, type Submission } from './submissions.ts';

export interface GradeOptions {
  readonly settings: GradeSettings;
  readonly targets: readonly string[];
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Told once before anything is graded, and after each submission. */
  readonly onProgress: (book: Gradebook) => void;
}

/**
 * Grades submissions: finds and copies them, has each examined in a process of its own, and gives points by the rubric.
 * @throws UsageError where there is nothing to grade, or the isolation that is required cannot be had
 */
export async function grade({
  settings,
  targets,
  cwd,
  signal,
  onProgress,
}: GradeOptions): Promise<Gradebook> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'scd2check-grade-')));
  try {
    const { file, isolation, engine } = settings;
    const limitBytes = isolation.limits.diskBytes;
    const { submissions, notes } = await findSubmissions(targets, { cwd, work: folder, file, limitBytes });
    const confined = isolationOf(settings, submissions);
    let book = emptyBook(settings, submissions, notes, confined.report);
    onProgress(book);
    const jobs = submissions.flatMap((one) => ('file' in one.entry ? [{ one, file: one.entry.file }] : []));
    await examineAll(
      jobs.map(
        ({ one, file: path }, index): Job => ({
          name: basename(path),
          file: path,
          copy: one.copy,
          layers: settings.layers,
          work: settings.work,
          engine,
          timeoutMs: settings.timeoutMs,
          timeLimitMs: settings.timeLimitMs,
          isolation: confined.isolation,
          python: confined.python,
          root: settings.root,
          traces: folderOf(folder, `traces-${index}`),
        }),
      ),
      settings.threads,
      signal,
      (index, result) => {
        const { one } = jobs[index]!;
        rmSync(join(folder, `traces-${index}`), { recursive: true, force: true });
        rmSync(one.copy, { recursive: true, force: true });
        book = withResult(book, one.id, graded(one, result, settings));
        onProgress(book);
      },
    );
    return { ...book, complete: book.submissions.every(({ status }) => status !== 'waiting') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function folderOf(parent: string, name: string): string {
  mkdirSync(join(parent, name), { recursive: true });
  return join(parent, name);
}

interface Confined {
  readonly isolation: Job['isolation'];
  readonly python: Job['python'];
  readonly report: IsolationReport;
}

/** Tries bubblewrap once, for all. */
function isolationOf({ isolation }: GradeSettings, submissions: readonly Submission[]): Confined {
  const { required, limits, environment } = isolation;
  const tried = findBubblewrap(process.env, { limits });
  if (tried.found === null && required)
    throw new UsageError(
      `Nothing was graded, because the configuration requires isolation (grade.isolation.required) and ${tried.why}.`,
    );
  const hasPython = submissions.some(({ entry }) => 'file' in entry && entry.file.endsWith('.py'));
  const python = hasPython ? findPython(programEnvironment()) : null;
  const readable = [...isolation.readable, ...(python?.folders ?? [])];
  const options = { limits, environment, readable };
  const { protections } = openIsolation(tried.found, { ...options, copy: null });
  return {
    isolation: { ...options, bubblewrap: tried.found },
    python: python?.program ?? null,
    report: {
      form: tried.found === null ? 'process-group' : 'bubblewrap',
      why: tried.found === null ? tried.why : null,
      protections,
    },
  };
}

function emptyBook(
  { contract, rubric, work }: GradeSettings,
  submissions: readonly Submission[],
  notes: readonly string[],
  isolation: IsolationReport,
): Gradebook {
  return {
    schema: 1,
    tool: { name: 'scd2check', version: version() },
    complete: false,
    contract,
    rubric: rubric.items,
    maximum: maximumOf(rubric),
    work,
    isolation,
    notes,
    submissions: submissions.map(({ id, name, entry }) =>
      'none' in entry
        ? notGradable(id, name, entry.none)
        : { ...notGradable(id, name, ''), status: 'waiting', reason: null },
    ),
    similar: [],
  };
}

function withResult(book: Gradebook, id: string, result: Graded): Gradebook {
  const submissions = book.submissions.map((one) => (one.id === id ? result : one));
  return { ...book, submissions, similar: similarFailures(submissions) };
}

function graded({ id, name }: Submission, result: JobResult, { rubric }: GradeSettings): Graded {
  if (result.outcome === 'not-gradable') {
    const problem = { kind: result.kind, message: result.reason, stderr: result.stderr };
    return { ...notGradable(id, name, result.reason), problems: [problem] };
  }
  const { report, notes } = result;
  const items = scoreItems(rubric, report);
  const neverStarted = report.problems.find(({ kind }) => kind === 'start' || kind === 'usage');
  const isJudged = items.some(({ units }) => units.some(({ status }) => JUDGED.has(status)));
  if (neverStarted !== undefined && !isJudged)
    return { ...notGradable(id, name, neverStarted.message), notes, problems: [neverStarted] };
  const parts = [report.scope, report.random].filter((part) => part !== null);
  return {
    id,
    name,
    status: 'graded',
    score: totalOf(rubric, items),
    items,
    reason: null,
    notes: [...notes, ...report.notes],
    problems: report.problems.filter(({ kind }) => !COVERAGE.has(kind)),
    beyond:
      parts.length === 0
        ? null
        : {
            histories: parts.reduce((sum, { histories }) => sum + histories, 0),
            failing: parts.reduce((sum, { failing }) => sum + failing, 0),
          },
    findings: findingsOf(items, report),
    cases: report.cases,
    implementation: report.implementation,
  };
}

const JUDGED = new Set(['passed', 'failed', 'follows']);
/** What only says that little was sent: the same for all, and no fault of theirs. */
const COVERAGE = new Set(['not-exercised', 'not-reached']);

function notGradable(id: string, name: string, reason: string): Graded {
  return {
    id,
    name,
    status: 'not-gradable',
    score: null,
    items: [],
    reason,
    notes: [],
    problems: [],
    beyond: null,
    findings: [],
    cases: [],
    implementation: null,
  };
}
