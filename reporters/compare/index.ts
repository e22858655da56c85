import type { CompareReport } from '../../src/compare/report.ts';
import { loadTextReporter, type RenderText, type TextReporters } from '../text-report.ts';

export type RenderCompare = RenderText<CompareReport>;

const REPORTERS: TextReporters<CompareReport> = {
  terminal: () => import('./terminal.ts'),
  json: () => import('./json.ts'),
};

/** @throws UsageError where there is no such reporter for comparisons */
export function loadCompareReporter(name: string): Promise<RenderCompare> {
  return loadTextReporter(REPORTERS, name, 'comparisons');
}
