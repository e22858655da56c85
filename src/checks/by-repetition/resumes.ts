import type { RepetitionCheck } from '../check.ts';

export const resumes: RepetitionCheck = {
  id: 'resumes',
  group: 'repetition',
  // A session is given one table, and type 4 has two.
  types: ['2', '6'],
  title: 'A load that finds a dimension of another session goes on as if it were its own.',
  why: 'A dimension that was migrated, restored or seeded by hand has no log and no cache beside it: the next load opens versions that are there already, or misses changes.',
  implies: [],
  skip: ({ clock, late, firstStart, firstStartScope }, { beginsFromTable }) => {
    if (beginsFromTable !== true)
      return 'it may keep more than its table (one that does not says so: the capability `beginsFromTable`)';
    if (clock === 'wall') return 'stamps come from a clock that is another one in each run';
    if (late !== 'never') return `a late load may need what the table does not show (\`late: ${late}\`)`;
    if (firstStart !== 'observed' && firstStartScope === 'first-load')
      return 'the first load of a session is another one (`firstStartScope: first-load`)';
    return null;
  },
  message: ({ reason }) =>
    reason === undefined
      ? 'A session that was given the dimension of another went on to another one than that did.'
      : `A session that was given the dimension of another raised an error: ${reason}`,
};
