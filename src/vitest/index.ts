import { beforeAll, describe, type TestContext, test } from 'vitest';
import { caseOutcome, type Outcome, othersOutcome } from '../../reporters/test-list/outcomes.ts';
import { PARTS, partOutcome } from '../../reporters/test-list/parts.ts';
import { type Checked, type CheckOptions, check, plannedCases } from '../api/check.ts';
import { parseDuration } from '../cli/arguments.ts';
import type { Report } from '../runner/report.ts';

export interface Scd2Options extends CheckOptions {
  /** Name of the suite; what the implementation is called, unless given. */
  readonly name?: string;
}

/** Beyond the limit of the run, in which it ends what it began and writes it down. */
const GRACE_MS = 30_000;

/**
 * Makes tests of the caller's own suite out of one run: one for each case that the contract admits, one for each other part, and one for whatever
 * else was found or could not be judged. A test that fails says what was expected, what was found and the smallest batches that show it.
 *
 * @param implementation as `check` takes it
 */
export function describeScd2(implementation: Checked, options: Scd2Options = {}): void {
  const caller = new Error();
  Error.captureStackTrace?.(caller, describeScd2);

  describe(options.name ?? nameOf(implementation), async () => {
    let cases: Awaited<ReturnType<typeof plannedCases>>;
    try {
      cases = await plannedCases(implementation, options);
    } catch (error) {
      // One test that fails, so that other suites of the file are run.
      test('can be opened', () => {
        throw failure((error as Error).message, caller);
      });
      return;
    }
    let report: Report;
    beforeAll(
      async () => {
        report = await check(implementation, options);
      },
      parseDuration(options.timeLimit ?? '5m', 'timeLimit') + GRACE_MS,
    );

    for (const { id, title } of cases) {
      test(`${id}: ${title}`, (context) => {
        const result = report.cases.find((one) => one.id === id);
        if (result === undefined) context.skip('It was not run.');
        else settle(caseOutcome(result, report), context, caller);
      });
    }
    for (const { part, title } of PARTS) {
      test(title, (context) => settle(partOutcome(part, report), context, caller));
    }
    test('nothing else was found, and everything could be judged', (context) => {
      const listed = cases.map(({ id }) => id);
      settle(othersOutcome(report, listed), context, caller);
    });
  });
}

function settle({ status, message, text }: Outcome, { skip }: TestContext, caller: Error): void {
  if (status === 'skipped') skip(message);
  if (status === 'failed' || status === 'inconclusive') throw failure(text ?? message ?? status, caller);
}

/** An error that points to the line of the caller, and not to one of ours. */
function failure(text: string, caller: Error): Error {
  const error = new Error(text);
  error.name = 'Scd2Failure';
  const frames = (caller.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  error.stack = [`${error.name}: ${text}`, ...frames].join('\n');
  return error;
}

function nameOf(implementation: Checked): string {
  if (typeof implementation === 'string') return implementation;
  if (typeof implementation === 'function') return implementation.name || 'an SCD2 implementation';
  return 'command' in implementation ? implementation.command.join(' ') : implementation.name;
}
