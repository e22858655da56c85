import type { CreateReporter } from './reporter.ts';
import { jsonSafe } from './text/json-safe.ts';

/** The report as it is, for programs. Its schema is `docs/schemas/report-1.json`. */
export const createReporter: CreateReporter = (output) => ({
  onEnd(report) {
    output.write(`${JSON.stringify(report, jsonSafe, 2)}\n`);
  },
});
