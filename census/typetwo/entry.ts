import type { Claim, Entry, Red } from '../entry.ts';

const README = 'https://pypi.org/project/typetwo/1.0.28/, "Example Usage: TypeTwo"';
const CLASS = 'docstring of TypeTwo.__init__, typetwo 1.0.28';

const CLAIMS: readonly Claim[] = [
  {
    field: 'feed',
    option: 'snapshot',
    says: '`fn_can_retire` is there "to prevent the retirement of records that haven\'t appeared in the current source list": else they are retired.',
    where: CLASS,
  },
  { field: 'deletes', option: 'close', says: 'The same.', where: CLASS },
  {
    field: 'end',
    option: 'exclusive',
    says: '`now` "defines the datetime for when newly retired records end, and their successor records start".',
    where: CLASS,
  },
  { field: 'openMarker', option: '2999-12-31', says: '`to_date`: `datetime(2999,12,31)`.', where: CLASS },
  { field: 'late', option: 'never', says: 'Nothing is said of rows that come late.', where: README },
];

const FIRST: Claim = {
  field: 'firstStart',
  option: '1970-01-01',
  says: '`from_date` is a default "to assign to the record validity ranges"; the example shows first rows that begin in 1900. The adapter gives it 1970.',
  where: CLASS,
};

const NOW: readonly Red[] = [
  {
    id: 'segment-change',
    title: 'A new version starts when the module was imported, and not at `now`',
    why: '`process_row` has a parameter `time_now = datetime.now()`, whose default Python evaluates once, at the import; `process_rows` and `+=` do not pass `now` on. It is used for retired rows only. Two changes of a key are then dated alike, and the version between them has no length.',
    findings: ['segment-change: clock-injected', 'three-changes: bounds-valid', 'reopen-a-b-a: bounds-valid'],
    also: [
      '*: clock-injected',
      '*: bounds-valid',
      '*: content',
      '*: version-count',
      '*: open-is-latest',
      '*: unique-start',
    ],
  },
  {
    id: 'back-unchanged',
    title: 'A key that comes back starts in 1970 again',
    why: 'A row without a current version gets `from_date`, as a new key does; and rows are then ordered by their starts, so that the retired one is ended anew.',
    findings: ['back-unchanged: closed-stays-closed', 'back-changed: closed-stays-closed'],
    also: ['*: closed-stays-closed', '*: no-overlap', '*: coverage', '*: open-count'],
  },
];

const SETTING = { kind: 'python', requirements: 'requirements.txt' } as const;

export const typetwo: Entry = {
  id: 'typetwo',
  name: 'typetwo TypeTwo',
  home: 'https://github.com/maranite/typetwo',
  licence: 'MIT',
  engine: 'lists of dicts',
  ruledOut:
    'The adapter makes a `TypeTwo` of the rows of the last load, adds the new ones and iterates, as the README does. `by-hand.py` does the same without the kit. The class has a way around the defect, rows that bring their own start: the second row of the table is the same adapter with that, and holds everything.',
  rows: [
    {
      id: 'typetwo',
      title: '`now` given',
      version: '1.0.28',
      setting: SETTING,
      adapter: 'adapter.py',
      claims: [...CLAIMS, FIRST],
      expected: { exitCode: 1, reds: NOW },
      inTests: true,
    },
    {
      id: 'typetwo-own-start',
      title: 'rows with their own start',
      version: '1.0.28',
      setting: SETTING,
      adapter: 'adapter.py',
      env: { CENSUS_TYPETWO: 'own-start' },
      claims: CLAIMS,
      note: 'A row that has the start column keeps it (`row.setdefault`). The README does not speak of it.',
      expected: { exitCode: 0, reds: [] },
      inTests: true,
    },
  ],
};
