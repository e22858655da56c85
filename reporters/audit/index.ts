import type { AuditReport } from '../../src/audit/report.ts';
import { loadTextReporter, type RenderText, type TextReporters } from '../text-report.ts';

/** Turns what an audit found into text. */
export type RenderAudit = RenderText<AuditReport>;

const REPORTERS: TextReporters<AuditReport> = {
  terminal: () => import('./terminal.ts'),
  json: () => import('./json.ts'),
  junit: () => import('./junit.ts'),
};

/** @throws UsageError where there is no such reporter for audits */
export function loadAuditReporter(name: string): Promise<RenderAudit> {
  return loadTextReporter(REPORTERS, name, 'audits');
}
