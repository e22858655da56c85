import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { declareContract } from '../../src/contract/declare.ts';
import type { OpenedImplementation } from '../../src/plugins/opened.ts';
import type { Report } from '../../src/runner/report.ts';
import { run } from '../../src/runner/run.ts';
import { BARE_RUN } from '../../src/runner/run-options.ts';

export interface Size {
  readonly scope: number;
  readonly histories: number;
  /** Whether the named cases are run too. */
  readonly cases: boolean;
}

/** A run as `scd2check <impl>` would be without a declared contract: judged by `strict`. */
export async function runUndeclared(implementation: OpenedImplementation, size: Size): Promise<Report> {
  const root = mkdtempSync(join(tmpdir(), 'scd2check-undeclared-'));
  try {
    return await run({
      implementation,
      declared: declareContract([implementation.declared]),
      ...BARE_RUN,
      cases: size.cases ? null : [],
      timeLimitMs: 600_000,
      scope: size.scope,
      histories: size.histories,
      root,
      runId: 'undeclared',
      signal: new AbortController().signal,
    });
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** `case: check` of each finding that is called a defect. */
export function defectsOf({ findings }: Report): readonly string[] {
  return findings.filter(({ decision }) => decision === null).map(({ feed, check }) => `${feed}: ${check}`);
}

/** Each finding that is called a decision, with the decision. */
export function decisionsOf({ findings }: Report): readonly string[] {
  return [
    ...new Set(
      findings.flatMap(({ decision }) =>
        decision === null ? [] : [`${decision.field}: ${decision.option}`],
      ),
    ),
  ];
}
