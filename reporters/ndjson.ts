import type { CreateReporter } from './reporter.ts';
import { jsonSafe } from './text/json-safe.ts';

/** Each event as one line of JSON when it happens, for programs that watch. The last line is `run-end` with the report. */
export const createReporter: CreateReporter = (output) => ({
  onEvent(event) {
    output.write(`${JSON.stringify(event, jsonSafe)}\n`);
  },
});
