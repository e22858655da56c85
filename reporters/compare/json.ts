import type { RenderCompare } from './index.ts';

/** The report as it is, for programs. */
export const render: RenderCompare = (report) => `${JSON.stringify(report, null, 2)}\n`;
