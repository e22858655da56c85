import type { AuditReport } from '../../src/audit/report.ts';
import { UsageError } from '../../src/cli/usage-error.ts';
import { suggestion } from '../../src/contract/nearest.ts';
import type { ReporterOutput } from '../reporter.ts';

/** Turns what an audit found into text. */
export type RenderAudit = (report: AuditReport, output: Omit<ReporterOutput, 'write'>) => string;

const REPORTERS: Readonly<Record<string, () => Promise<{ readonly render: RenderAudit }>>> = {
  terminal: () => import('./terminal.ts'),
  json: () => import('./json.ts'),
  junit: () => import('./junit.ts'),
};

/** The reporter of that name. Throws a `UsageError` that names the nearest where there is none for audits. */
export async function loadAuditReporter(name: string): Promise<RenderAudit> {
  const load = Object.hasOwn(REPORTERS, name) ? REPORTERS[name] : undefined;
  if (load === undefined)
    throw new UsageError(
      `There is no reporter \`${name}\` for audits.${suggestion(name, Object.keys(REPORTERS))}`,
    );
  return (await load()).render;
}
