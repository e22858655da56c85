import { expect, test } from 'vitest';
import { loadReporter, REPORTER_NAMES } from './index.ts';

test.each(REPORTER_NAMES)('the reporter %s is found by its name', async (name) => {
  expect(await loadReporter(name)).toBeTypeOf('function');
});

test('an unknown name is answered with the nearest', async () => {
  await expect(loadReporter('juint')).rejects.toThrow('There is no reporter `juint`. Did you mean `junit`?');
  await expect(loadReporter('constructor')).rejects.toThrow('There is no reporter `constructor`.');
});
