import { beforeAll, describe, expect, test } from 'vitest';
import { findBubblewrap } from '../../src/plugins/isolation/bubblewrap.ts';
import { DEFAULT_ISOLATION_LIMITS } from '../../src/plugins/isolation/isolation.ts';
import { type ClassResult, gotOf, gradeClass } from '../class/run.ts';

const limits = DEFAULT_ISOLATION_LIMITS;
const tried = findBubblewrap(process.env, { limits });

/** Without bubblewrap there is nothing to prove; under CI it has to be there. */
describe.skipIf(tried.found === null && process.env['CI'] !== 'true')(
  'submissions that want something else',
  () => {
    let graded: ClassResult;
    beforeAll(async () => {
      // Those that wait for their time to run out are in `npm run verify:class`.
      graded = await gradeClass(
        ({ id, kind }) =>
          (kind === 'hostile' && !id.endsWith('-endless')) || ['right-ts-folder', 'right-py'].includes(id),
        1,
      );
    });

    test('are held by bubblewrap', () => {
      expect('why' in tried ? tried.why : null).toBeNull();
      expect(graded.book.isolation.protections.filter(({ holds }) => !holds)).toEqual([]);
    });

    test('get nothing of what they try, while the others get their points', () => {
      expect(graded.wrong).toEqual([]);
      expect(graded.book.submissions.filter(({ score }) => score === 70).map(({ id }) => id)).toEqual([
        'hostile-py-by-heart',
        'right-py',
        'right-ts-folder',
      ]);
    });

    test('say themselves what they got', () => {
      const got = new Map(graded.book.submissions.map((one) => [one.id, gotOf(one)]));
      expect(got.get('hostile-ts-oracle')).toBe('no oracle, no oracle, no package');
      expect(got.get('hostile-ts-network')).toBe('nothing, nothing');
      expect(got.get('hostile-ts-fork')).toBe('fewer than 128');
    });
  },
);
