import { jsonSafe } from '../text/json-safe.ts';
import type { RenderAudit } from './index.ts';

/** The report as it is, for programs. Its schema is `docs/schemas/audit-1.json`. */
export const render: RenderAudit = (report) => `${JSON.stringify(report, jsonSafe, 2)}\n`;
