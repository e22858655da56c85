import type {
  CaseResult,
  CheckResult,
  CounterexampleBatch,
  FactPoint,
  Finding,
  JsonRow,
  Report,
  VersionRow,
} from '../src/runner/report.ts';

/** Realistic reports, for the tests of reporters and for whoever writes a new one. */

const CONTRACT = {
  type: '2',
  feed: 'snapshot',
  grain: 'microsecond',
  end: 'exclusive',
  openMarker: 'null',
  deletes: 'close',
  late: 'apply',
  compare: 'sql',
  columns: {
    key: ['customer_id text not null'],
    tracked: ['customer_segment text'],
    untracked: ['street text'],
    validFrom: 'valid_from timestamp not null',
    validTo: 'valid_to timestamp',
    isCurrent: 'is_current boolean not null',
    isDeleted: null,
  },
} as const;

const KEY = { customer_id: 'C1' };
const DAY1 = '2026-03-01T06:00:00.000000Z';
const DAY2 = '2026-03-02T06:00:00.000000Z';
const DAY3 = '2026-03-03T06:00:00.000000Z';
const ALL = ['customer_id', 'customer_segment', 'street', 'validFrom', 'validTo', 'isCurrent', 'isDeleted'];

export function sampleRow(segment: JsonRow[string], street: JsonRow[string] = 'Bahnhofstr. 1'): JsonRow {
  return { ...KEY, customer_segment: segment, street };
}

export function sampleVersion(
  segment: JsonRow[string],
  validFrom: string | null,
  validTo: string | null,
  differs: readonly string[] = [],
): VersionRow {
  return {
    values: sampleRow(segment),
    validFrom,
    validTo,
    isCurrent: validTo === null,
    isDeleted: false,
    differs,
  };
}

function sampleFact(instant: string, expected: string, met: readonly string[] = [expected]): FactPoint {
  return { instant, amount: 100, expected, met };
}

export function sampleBatch(asOf: string, rows: readonly JsonRow[], late = false): CounterexampleBatch {
  return { asOf, rows, late };
}

export function sampleFinding(parts: Partial<Finding> & Pick<Finding, 'check' | 'message'>): Finding {
  const id = `${parts.check}-${parts.case ?? 'scope'}`;
  return {
    id,
    implies: [],
    decision: null,
    feed: parts.case ?? 'scope-3/1',
    step: 1,
    key: KEY,
    expected: [],
    actual: [],
    counterexample: { batches: [] },
    replay: `npx scd2check replay ${id}`,
    ...parts,
  };
}

function caseResult(id: string, versions: number, open: number, wrong: Partial<CaseResult> = {}): CaseResult {
  return {
    id,
    title: `${id} behaves`,
    verdict: 'pass',
    versions: { expected: versions, actual: versions },
    open: { expected: open, actual: open },
    findings: [],
    ...wrong,
  };
}

function check(id: string, exercised: number, wrong: Partial<CheckResult> = {}): CheckResult {
  return { id, verdict: 'pass', severity: 'error', exercised, count: 0, ...wrong };
}

const CASES: readonly CaseResult[] = [
  caseResult('no-change', 1, 1),
  caseResult('segment-change', 2, 1),
  caseResult('address-only', 1, 1),
  caseResult('reopen-a-b-a', 3, 1),
  caseResult('twice-one-day', 2, 1),
  caseResult('late-arrival', 2, 1),
  caseResult('deleted', 1, 0),
  caseResult('value-to-null', 2, 1),
  caseResult('null-to-value', 2, 1),
  caseResult('deleted-and-back', 2, 1),
  caseResult('one-microsecond-apart', 2, 1),
  skippedCase('delta-unmentioned', 'needs `feed: delta`, the contract has `snapshot`'),
  skippedCase('delta-delete-row', 'needs `feed: delta`, the contract has `snapshot`'),
  skippedCase('composite-key', 'needs two key columns, there is one'),
];

function skippedCase(id: string, skipReason: string): CaseResult {
  return { ...caseResult(id, 0, 0), verdict: 'skipped', skipReason, versions: null, open: null };
}

const CHECKS: readonly CheckResult[] = [
  check('key-not-null', 61_440),
  check('bounds-valid', 61_440),
  check('no-overlap', 38_912),
  check('contiguous', 38_912),
  check('one-open-version', 24_576),
  check('open-count', 24_576),
  check('current-flag', 61_440),
  check('version-count', 24_576),
  check('content', 24_576),
  check('exclusive-end', 38_912),
  check('no-fan-out', 98_304),
  check('reconciles', 98_304),
  check('hash-matches', 0, { verdict: 'skipped', skipReason: 'the dimension has no hash column' }),
  check('surrogate-key-unique', 0, { verdict: 'skipped', skipReason: 'the dimension has no surrogate key' }),
];

/** Everything held. */
export const PASS: Report = {
  schema: 1,
  tool: { name: 'scd2check', version: '0.1.0' },
  run: {
    id: '20260301T060000-a1b2',
    command: 'npx scd2check examples/merge.sql',
    started: '2026-03-01T06:00:00.000Z',
  },
  environment: { node: '20.19.0', platform: 'linux x64', ci: null },
  implementation: { name: 'examples/merge.sql', kind: 'sql' },
  contract: CONTRACT,
  notes: [],
  scope: null,
  random: null,
  illegal: null,
  coverage: {},
  contractAssumed: false,
  verdict: 'pass',
  problems: [],
  stored: [],
  cases: CASES,
  checks: CHECKS,
  findings: [],
  known: [],
  timings: { totalMs: 1843, implementationMs: 912, loads: 214, parts: { cases: 120, scope: 1480 } },
};

function failing(
  name: string,
  finding: Finding,
  cases: Readonly<Record<string, Partial<CaseResult>>>,
  more: Partial<Report> = {},
): Report {
  const consequences = new Set(finding.implies);
  return {
    ...PASS,
    implementation: { name, kind: 'sql' },
    run: { ...PASS.run, id: '20260301T060000-c3d4', command: `npx scd2check ${name}` },
    verdict: 'fail',
    findings: [finding],
    cases: CASES.map((result) => {
      const wrong = cases[result.id];
      return wrong === undefined ? result : { ...result, verdict: 'fail', findings: [finding.id], ...wrong };
    }),
    checks: CHECKS.map((result) => {
      if (result.id === finding.check) return { ...result, verdict: 'fail', count: 37 };
      return consequences.has(result.id) ? { ...result, verdict: 'fail', count: 12 } : result;
    }),
    ...more,
  };
}

/** Late data is appended as it came: A and B hold at the same time. */
export const LATE_OVERLAP: Report = failing(
  'load/customers.sql',
  sampleFinding({
    check: 'no-overlap',
    implies: ['one-open-version', 'content', 'no-fan-out', 'reconciles'],
    case: 'late-arrival',
    message:
      'Two versions of customer_id = C1 hold at once from 2026-03-02 06:00 on: A, open since 2026-03-01 06:00, was not closed where B begins.',
    expected: [sampleVersion('A', DAY1, DAY2, ['validTo', 'isCurrent']), sampleVersion('B', DAY2, null)].map(
      (version) => ({ ...version, isCurrent: version.validTo === null }),
    ),
    actual: [sampleVersion('A', DAY1, null, ['validTo', 'isCurrent']), sampleVersion('B', DAY2, null)],
    history: [
      { step: 0, expected: [sampleVersion('B', DAY2, null)], actual: [sampleVersion('B', DAY2, null)] },
      {
        step: 1,
        expected: [sampleVersion('A', DAY1, DAY2, ['validTo', 'isCurrent']), sampleVersion('B', DAY2, null)],
        actual: [sampleVersion('A', DAY1, null, ['validTo', 'isCurrent']), sampleVersion('B', DAY2, null)],
      },
    ],
    facts: [
      sampleFact('2026-02-27T06:00:00.000000Z', 'UNKNOWN'),
      sampleFact('2026-03-01T05:59:59.999999Z', 'UNKNOWN'),
      sampleFact(DAY1, 'A'),
      sampleFact('2026-03-01T06:00:00.000001Z', 'A'),
      sampleFact('2026-03-01T18:00:00.000000Z', 'A'),
      sampleFact('2026-03-02T05:59:59.999999Z', 'A'),
      sampleFact(DAY2, 'B', ['A', 'B']),
      sampleFact('2026-03-02T06:00:00.000001Z', 'B', ['A', 'B']),
      sampleFact('2026-03-04T06:00:00.000000Z', 'B', ['A', 'B']),
    ],
    money: {
      facts: 3,
      total: 9,
      moved: 300,
      moves: [{ from: 'counted twice', to: 'A', amount: 300 }],
    },
    counterexample: {
      batches: [sampleBatch(DAY2, [sampleRow('B')]), sampleBatch(DAY1, [sampleRow('A')], true)],
    },
  }),
  { 'late-arrival': { open: { expected: 1, actual: 2 } } },
);

/** Ends are set one microsecond before the next start, under a contract that says exclusive. */
export const INCLUSIVE_END: Report = failing(
  'models/dim_customer.sql',
  sampleFinding({
    check: 'exclusive-end',
    implies: ['contiguous', 'content'],
    case: 'segment-change',
    decision: { field: 'end', option: 'inclusive' },
    message:
      'Version A of customer_id = C1 ends at 2026-03-02 05:59:59.999999, one microsecond before B begins: the end is inclusive, and a fact in between meets no version.',
    expected: [sampleVersion('A', DAY1, DAY2, ['validTo']), sampleVersion('B', DAY2, null)],
    actual: [
      sampleVersion('A', DAY1, '2026-03-02T05:59:59.999999Z', ['validTo']),
      sampleVersion('B', DAY2, null),
    ],
    facts: [
      sampleFact(DAY1, 'A'),
      sampleFact('2026-03-02T05:59:59.999998Z', 'A'),
      sampleFact('2026-03-02T05:59:59.999999Z', 'A', ['UNKNOWN']),
      sampleFact(DAY2, 'B'),
    ],
    money: { facts: 1, total: 12, moved: 100, moves: [{ from: 'A', to: 'UNKNOWN', amount: 100 }] },
    counterexample: { batches: [sampleBatch(DAY1, [sampleRow('A')]), sampleBatch(DAY2, [sampleRow('B')])] },
  }),
  { 'segment-change': {}, 'reopen-a-b-a': {}, 'twice-one-day': {}, 'late-arrival': {} },
);

/** `WHERE old <> new` is never true beside a NULL: the change is lost. */
export const NULL_LOST: Report = failing(
  'load/customers.sql',
  sampleFinding({
    check: 'version-count',
    implies: ['content', 'reconciles'],
    feed: 'scope-3/0',
    message: 'customer_id = C1 should have 3 versions and has 2: the change from A to NULL was not seen.',
    step: 2,
    expected: [
      sampleVersion('A', DAY1, DAY2, ['validTo']),
      sampleVersion(null, DAY2, DAY3, ALL),
      sampleVersion('', DAY3, null),
    ],
    actual: [sampleVersion('A', DAY1, DAY3, ['validTo']), sampleVersion('', DAY3, null)],
    money: { facts: 3, total: 12, moved: 300, moves: [{ from: 'NULL', to: 'A', amount: 300 }] },
    counterexample: {
      batches: [
        sampleBatch(DAY1, [sampleRow('A')]),
        sampleBatch(DAY2, [sampleRow(null)]),
        sampleBatch(DAY3, [sampleRow('', 'Domplatz 4')]),
      ],
    },
  }),
  { 'value-to-null': { versions: { expected: 2, actual: 1 } } },
);

const IGNORED_DELETE = sampleFinding({
  check: 'open-count',
  case: 'deleted',
  decision: { field: 'deletes', option: 'ignore' },
  message: 'customer_id = C1 left the extract at 2026-03-02 06:00 and still has an open version.',
  expected: [sampleVersion('A', DAY1, DAY2, ['validTo', 'isCurrent'])],
  actual: [sampleVersion('A', DAY1, null, ['validTo', 'isCurrent'])],
  money: { facts: 2, total: 12, moved: 200, moves: [{ from: 'UNKNOWN', to: 'A', amount: 200 }] },
  counterexample: { batches: [sampleBatch(DAY1, [sampleRow('A')]), sampleBatch(DAY2, [])] },
});

const ZERO_LENGTH = sampleFinding({
  check: 'bounds-valid',
  implies: ['content'],
  case: 'twice-one-day',
  message: 'Version A of customer_id = C1 starts and ends at 2026-03-01 00:00: no fact can ever meet it.',
  expected: [
    sampleVersion('A', DAY1, '2026-03-01T18:00:00.000000Z', ALL),
    sampleVersion('B', '2026-03-01T18:00:00.000000Z', null, ['validFrom']),
  ],
  actual: [
    sampleVersion('A', '2026-03-01T00:00:00.000000Z', '2026-03-01T00:00:00.000000Z', ALL),
    sampleVersion('B', '2026-03-01T00:00:00.000000Z', null, ['validFrom']),
  ],
  counterexample: {
    batches: [
      sampleBatch(DAY1, [sampleRow('A')]),
      sampleBatch('2026-03-01T18:00:00.000000Z', [sampleRow('B')]),
    ],
  },
});

/** Nothing was declared: one finding may be meant, the other cannot be. */
export const ASSUMED_STRICT: Report = failing(
  'etl/scd2.sql',
  IGNORED_DELETE,
  { deleted: { open: { expected: 0, actual: 1 } }, 'twice-one-day': { findings: [ZERO_LENGTH.id] } },
  {
    contractAssumed: true,
    findings: [IGNORED_DELETE, ZERO_LENGTH],
    checks: CHECKS.map((result) =>
      ['open-count', 'bounds-valid', 'content'].includes(result.id)
        ? { ...result, verdict: 'fail', count: 9 }
        : result,
    ),
  },
);

/** The implementation did not answer in time. */
export const TIMEOUT: Report = {
  ...PASS,
  implementation: { name: 'python3 load.py', kind: 'command' },
  verdict: 'inconclusive',
  problems: [
    {
      kind: 'timeout',
      message:
        'The first apply did not answer within 10 s, twice. Nothing can be said of a dimension that was not built. If the program needs longer, allow it with --timeout 60s.',
      feed: 'no-change',
      stderr: [
        'Traceback (most recent call last):',
        '  File "load.py", line 41, in apply',
        '    conn = psycopg.connect(DSN)',
        'psycopg.OperationalError: connection to server at "10.0.0.7", port 5432 failed: timeout \x1b[31mexpired\x1b[0m',
      ].join('\n'),
    },
  ],
  cases: CASES.map((result) =>
    result.verdict === 'skipped'
      ? result
      : { ...result, verdict: 'inconclusive', versions: null, open: null },
  ),
  checks: CHECKS.map((result) =>
    result.verdict === 'skipped' ? result : { ...result, verdict: 'inconclusive', exercised: 0 },
  ),
  timings: { totalMs: 20_311, implementationMs: 20_004, loads: 2, parts: {} },
};

export const SAMPLES: Readonly<Record<string, Report>> = {
  pass: PASS,
  'late-overlap': LATE_OVERLAP,
  'inclusive-end': INCLUSIVE_END,
  'null-lost': NULL_LOST,
  'assumed-strict': ASSUMED_STRICT,
  timeout: TIMEOUT,
};
