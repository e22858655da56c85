import { loadConfig } from '../config/load.ts';
import type { Report, RunEvent } from '../runner/report.ts';
import type { Arguments } from './arguments.ts';
import { openOutput } from './output.ts';
import { readStoredRun } from './stored-run.ts';
import { UsageError } from './usage-error.ts';

/**
 * `scd2check report <run>`: renders a run that is over once more, by any reporter. Nothing is run and nothing judged, so
 * it exits with 0 whatever the verdict. The reporters of the configuration are those of runs: here only flags count.
 */
export async function reportCommand(args: Arguments): Promise<number> {
  const [target, ...others] = args.targets;
  if (target === undefined || others.length > 0)
    throw new UsageError(
      'Which run? Name one: scd2check report last (or the id of a run, or the path of a report.json).',
    );
  const { root } = await loadConfig(args.value('config'), process.cwd());
  const report = readStoredRun(target, root);
  const output = await openOutput(args, { configured: [], automatic: false, cwd: process.cwd() });
  for (const event of eventsOf(report)) output.onEvent(event);
  return (await output.end(report)) ?? 0;
}

/** What a reporter that listens would have heard at the end of the run. */
function eventsOf({ cases, findings, problems }: Report): RunEvent[] {
  return [
    ...cases.map((result): RunEvent => ({ type: 'case-end', result })),
    ...findings.map((finding): RunEvent => ({ type: 'finding', finding })),
    ...problems.map((problem): RunEvent => ({ type: 'problem', problem })),
  ];
}
