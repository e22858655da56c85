import type { Claim, Entry, Red } from '../entry.ts';

const CLASS = 'https://chrthomsen.github.io/pygrametl/doc/api/tables.html (class SlowlyChangingDimension)';
const EXAMPLES =
  'https://chrthomsen.github.io/pygrametl/doc/examples/dimensions.html, "SlowlyChangingDimension"';

const CLAIMS: readonly Claim[] = [
  {
    field: 'feed',
    option: 'delta',
    says: '`scdensure(row)`: "Lookup or insert a version of a slowly changing dimension member." What is not mentioned is not touched.',
    where: CLASS,
  },
  {
    field: 'duplicates',
    option: 'equal',
    says: 'A second row that is equal to the newest version is a look-up.',
    where: CLASS,
  },
  {
    field: 'deletes',
    option: 'close',
    says: '`closecurrent`: "Close the current version by setting its toatt if it is maxto."',
    where: CLASS,
  },
  {
    field: 'end',
    option: 'exclusive',
    says: '"assigning the new rows fromatt to the old rows toatt"',
    where: CLASS,
  },
  { field: 'openMarker', option: 'null', says: '`maxto`: "Default: None".', where: CLASS },
  {
    field: 'late',
    option: 'never',
    says: 'A row is compared with "the newest version"; nothing is said of rows that come late, but that in a type 1 dimension, "as opposed to" this one, "it is important that the rows are introduced in chronological order".',
    where: EXAMPLES,
  },
  {
    field: 'sameInstant',
    option: 'never',
    says: 'Nothing is said of two states at one instant.',
    where: CLASS,
  },
];

const SETTING = { kind: 'python', requirements: 'requirements.txt' } as const;
const SILENT = ['Rows that come late, or twice for one instant: nothing is said of them.'];

const LATE: readonly Red[] = [
  {
    id: 'late-arrival',
    title: 'A late row takes the place of the newest version',
    why: '`scdensure` compares a row with the newest version only. A late one starts at its own date, and the newest ends there, before it began: a negative interval, or an overlap with versions that had ended.',
    findings: [
      'late-arrival: bounds-valid',
      'late-before-all: bounds-valid',
      'late-equal-to-its-version: bounds-valid',
      'late-inside-a-closed-version: bounds-valid',
      'late-leaves-others-alone: bounds-valid',
      'late-newest-first: bounds-valid',
      'late-return-to-an-older-value: bounds-valid',
      'late-twice-between-equal-repeats: bounds-valid',
      'late-two-in-a-row: bounds-valid',
    ],
    also: ['scope: no-overlap', 'scope: open-count', 'repetition: order-independent'],
  },
  {
    id: 'late-delete-row-before-all',
    title: 'A late delete closes the version of today',
    why: '`closecurrent` sets the end that it is given on the open version, whatever its start is.',
    findings: [
      'late-delete-row-before-all: bounds-valid',
      'late-delete-row-in-a-closed-version: bounds-valid',
    ],
  },
  {
    id: 'late-extends-the-first',
    title: 'A late row that equals the newest version changes nothing',
    why: 'It is a look-up, so the start of the version does not move back.',
    findings: ['late-extends-the-first: content', 'late-equal-to-the-next: content'],
    also: ['scope: content'],
  },
  {
    id: 'late-between-equal-repeats',
    title: 'A repeat leaves no trace',
    why: 'A row that comes late between two equal ones ends up as current. No dimension alone can know better: `lateEvidence: dimension` forgives it.',
    findings: ['late-between-equal-repeats: version-count'],
    also: ['scope: version-count'],
  },
  {
    id: 'redelivered-later',
    title: 'A load that is delivered again is taken for news',
    why: 'Its rows differ from the newest version, so each becomes one.',
    findings: ['redelivered-later: bounds-valid'],
    also: ['repetition: idempotent'],
  },
];

const SAME_INSTANT: readonly Red[] = [
  {
    id: 'same-instant-last',
    title: 'Two states at one instant leave a version that holds at no time',
    why: 'The second one ends the first where it began.',
    findings: ['same-instant-last: bounds-valid', 'same-instant-undoes-a-change: bounds-valid'],
  },
  {
    id: 'same-instant-deleted-and-back',
    title: 'A key that goes and comes back at one instant gets a second version of the same',
    why: '`closecurrent` ends the version, and `scdensure` then finds none that is current: what touches and is equal is not joined.',
    findings: [],
    also: ['random: no-repeat'],
  },
  {
    id: 'same-instant-untracked',
    title: 'The row that loses keeps its untracked values',
    why: 'The first of two rows of one instant overwrites the type 1 attribute of the newest version before the second one ends it.',
    findings: [],
    also: ['random: untracked'],
  },
];

export const pygrametl: Entry = {
  id: 'pygrametl',
  name: 'pygrametl SlowlyChangingDimension',
  home: 'https://chrthomsen.github.io/pygrametl/',
  licence: 'BSD-2-Clause',
  engine: 'SQLite',
  ruledOut:
    'The adapter sets the dimension up as the example in the documentation does. `by-hand.py` builds another one, calls `scdensure` and `closecurrent` itself and prints what SQLite holds.',
  rows: [
    {
      id: 'pygrametl',
      title: '',
      version: '2.9',
      setting: SETTING,
      adapter: 'adapter.py',
      claims: CLAIMS,
      limitations: SILENT,
      expected: { exitCode: 0, reds: [] },
      inTests: true,
    },
    {
      id: 'pygrametl-late',
      title: 'if rows come late',
      version: '2.9',
      setting: SETTING,
      adapter: 'adapter.py',
      claims: CLAIMS.filter(({ field }) => field !== 'late'),
      beyond: { late: 'apply' },
      expected: { exitCode: 1, reds: LATE },
      inTests: true,
    },
    {
      id: 'pygrametl-same-instant',
      title: 'if two states have one instant',
      version: '2.9',
      setting: SETTING,
      adapter: 'adapter.py',
      claims: CLAIMS.filter(({ field }) => field !== 'sameInstant'),
      beyond: { sameInstant: 'last' },
      expected: { exitCode: 1, reds: SAME_INSTANT },
      inTests: true,
    },
  ],
};
