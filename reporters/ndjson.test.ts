import { expect, test } from 'vitest';
import type { RunEvent } from '../src/runner/report.ts';
import { createReporter } from './ndjson.ts';
import { LATE_OVERLAP } from './samples.ts';
import { written } from './testing.ts';

test('each event is a line, and the last is the report', () => {
  const events: RunEvent[] = [
    { type: 'progress', part: 'scope', done: 1, total: 24 },
    { type: 'finding', finding: LATE_OVERLAP.findings[0]! },
    { type: 'run-end', report: LATE_OVERLAP },
  ];
  const lines = written(createReporter, LATE_OVERLAP, {}, events).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(events);
});

test('a contract with 64-bit values and NaN is written as text', () => {
  const start = {
    type: 'run-start',
    contract: { values: [2n ** 60n, Number.NaN, -0, 1] },
  } as unknown as RunEvent;
  expect(written(createReporter, null, {}, [start])).toBe(
    '{"type":"run-start","contract":{"values":["1152921504606846976","NaN","-0",1]}}\n',
  );
});
