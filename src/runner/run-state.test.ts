import { expect, test } from 'vitest';
import { STRICT } from '../contract/presets.ts';
import { ImplementationFailure } from '../plugins/implementation.ts';
import { INTERRUPTED } from './problems.ts';
import type { RunOptions } from './run-options.ts';
import { RunState } from './run-state.ts';
import type { RunFolder } from './trace-store.ts';

test('of an interrupted run the interruption is the only problem: it closes the implementation', () => {
  const options = {
    declared: { contract: STRICT },
    timeLimitMs: 1000,
    signal: AbortSignal.abort(),
  } as unknown as RunOptions;
  const state = new RunState(options, {} as RunFolder, performance.now());
  const failure = new ImplementationFailure('start', 'load.sql was closed and cannot start again.');
  state.problems.push({ kind: 'not-reached', message: 'No feed reached late.' });
  state.noteEnd({ failure: { feed: 'repetition/1', batch: -1, failure }, completed: false } as never);
  state.interrupted();
  expect(state.problems).toEqual([INTERRUPTED]);
  expect(state.ended).toBe(true);
});
