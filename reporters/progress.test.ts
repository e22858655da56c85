import { expect, test } from 'vitest';
import type { RunEvent } from '../src/runner/report.ts';
import { createProgress } from './progress.ts';
import { PASS } from './samples.ts';
import { written } from './testing.ts';

const progress = (done: number, total: number): RunEvent => ({
  type: 'progress',
  part: 'scope',
  done,
  total,
});

test('progress is one line that is drawn over itself and leaves nothing behind', () => {
  const text = written(createProgress, PASS, {}, [
    progress(1, 4),
    progress(2, 4),
    { type: 'run-end', report: PASS },
  ]);
  expect(text).toBe('\r\x1b[2Kscope: 1 of 4 (25 %)\r\x1b[2Kscope: 2 of 4 (50 %)\r\x1b[2K');
});

test('events that change nothing that is seen write nothing', () => {
  const events = Array.from({ length: 5000 }, (_, index) => progress(index, 5000));
  expect(written(createProgress, null, {}, events).split('\r')).toHaveLength(101);
});

test('progress keeps to its line, and to itself where it is to be quiet', () => {
  expect(written(createProgress, null, { width: 10 }, [progress(1, 4)])).toBe('\r\x1b[2Kscope: 1…');
  expect(written(createProgress, PASS, { quiet: true }, [progress(1, 4)])).toBe('');
});
