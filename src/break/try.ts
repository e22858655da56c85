import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CHECKS } from '../checks/index.ts';
import { declareContract } from '../contract/declare.ts';
import type { Declared } from '../contract/declared.ts';
import { type CallLimits, ImplementationFailure } from '../plugins/implementation.ts';
import { openSql } from '../plugins/sql.ts';
import type { Finding, Report } from '../runner/report.ts';
import { run } from '../runner/run.ts';
import { BARE_RUN } from '../runner/run-options.ts';

/** What became of a script. */
export type Tried =
  | { readonly outcome: 'caught'; readonly finding: Finding }
  | { readonly outcome: 'survived' }
  /** It gave no answer that could be judged. */
  | { readonly outcome: 'does-not-run'; readonly reason: string };

export interface TryOptions {
  /** The script that is broken; mutants go by its name. */
  readonly path: string;
  /** What the configuration and the flags say of the contract, the weakest first. */
  readonly layers: readonly (readonly Declared[])[];
  readonly sandbox: boolean;
  /** What `--engine` says. */
  readonly engine: string | null;
  /** Every history of up to so many batches, where the cases find nothing. */
  readonly scope: number;
  readonly limits: CallLimits;
  readonly timeLimitMs: number;
  readonly signal: AbortSignal;
}

/** Problems of an implementation that answers nothing, whatever it is sent. */
const UNUSABLE = new Set(['errored', 'start', 'crash', 'timeout', 'protocol', 'output', 'unreadable']);

/** Runs a script through the cases, and where these find nothing through the small scope. Nothing of it stays behind. */
export async function tryScript(sql: string, options: TryOptions): Promise<Tried> {
  const folder = mkdtempSync(join(tmpdir(), 'scd2check-break-'));
  try {
    const path = join(folder, basename(options.path));
    writeFileSync(path, sql);
    const byCases = await judge(path, folder, options, { cases: null, scope: 0 });
    if (byCases.outcome !== 'survived') return byCases;
    return await judge(path, folder, options, { cases: [], scope: options.scope });
  } catch (error) {
    if (error instanceof ImplementationFailure) return { outcome: 'does-not-run', reason: error.message };
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function judge(
  path: string,
  root: string,
  { layers, sandbox, engine, limits, timeLimitMs, signal }: TryOptions,
  part: { readonly cases: readonly string[] | null; readonly scope: number },
): Promise<Tried> {
  const implementation = await openSql(path, limits, { sandbox, engine });
  try {
    const report = await run({
      implementation,
      declared: declareContract([implementation.declared, ...layers]),
      ...BARE_RUN,
      ...part,
      checks: CHECKS.map(({ id }) => id),
      timeLimitMs,
      bail: true,
      maxFailures: 1,
      root,
      runId: `break-${part.scope}`,
      signal,
    });
    return triedBy(report);
  } finally {
    await implementation.close();
  }
}

function triedBy({ findings, problems }: Report): Tried {
  const [finding] = findings;
  if (finding !== undefined) return { outcome: 'caught', finding };
  const problem = problems.find(({ kind }) => UNUSABLE.has(kind));
  return problem === undefined
    ? { outcome: 'survived' }
    : { outcome: 'does-not-run', reason: problem.message };
}
