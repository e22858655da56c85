import { expect, test } from 'vitest';
import { confinedEnvironment } from './environment.ts';
import { DEFAULT_ISOLATION_LIMITS } from './isolation.ts';

const PLACES = { path: '/usr/bin', home: '/submission', temporary: '/tmp' };
const OPTIONS = { environment: ['COURSE_DATA'], limits: DEFAULT_ISOLATION_LIMITS };

test('of the environment nothing is passed on that is not on the list', () => {
  const own = {
    GITHUB_TOKEN: 'x',
    PATH: '/secret/bin',
    NODE_OPTIONS: '--inspect',
    LANG: 'de_DE.UTF-8',
    HOME: '/root',
  };
  const confined = confinedEnvironment(own, OPTIONS, PLACES);
  expect(Object.keys(confined)).not.toContain('GITHUB_TOKEN');
  expect(Object.keys(confined)).not.toContain('NODE_OPTIONS');
  expect(confined).toMatchObject({ PATH: '/usr/bin', HOME: '/submission', LANG: 'de_DE.UTF-8', TZ: 'UTC' });
});

test('what the configuration names is passed on, where it is set', () => {
  expect(confinedEnvironment({ COURSE_DATA: '/data' }, OPTIONS, PLACES)['COURSE_DATA']).toBe('/data');
  expect(Object.keys(confinedEnvironment({}, OPTIONS, PLACES))).not.toContain('COURSE_DATA');
});
