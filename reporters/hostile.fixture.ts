import type { Finding, Report } from '../src/runner/report.ts';
import { LATE_OVERLAP, sampleBatch, sampleRow, sampleVersion, TIMEOUT } from './samples.ts';

/** Texts that mean something to a reader of reports: HTML, Markdown, workflow commands, terminals. */
export const HOSTILE_TEXT =
  '</script><img src=x onerror=document.title="owned">"\'`|--> @octocat #1\r\n::error::forged\n##[group]x\u202e\u0000\x1b[31m%0A\ud800';

const [SAMPLE] = LATE_OVERLAP.findings;

/** A report in which every text is hostile. */
export const HOSTILE: Report = {
  ...LATE_OVERLAP,
  tool: { name: 'scd2check', version: HOSTILE_TEXT },
  run: { id: HOSTILE_TEXT, command: HOSTILE_TEXT },
  environment: {
    node: HOSTILE_TEXT,
    platform: HOSTILE_TEXT,
    ci: { name: HOSTILE_TEXT, commit: HOSTILE_TEXT, branch: HOSTILE_TEXT, build: HOSTILE_TEXT },
  },
  implementation: { name: HOSTILE_TEXT, kind: 'command' },
  contract: { [HOSTILE_TEXT]: HOSTILE_TEXT, columns: { key: [HOSTILE_TEXT] } },
  notes: [HOSTILE_TEXT],
  problems: [{ kind: HOSTILE_TEXT, message: HOSTILE_TEXT, feed: HOSTILE_TEXT, stderr: HOSTILE_TEXT }],
  stored: [{ id: HOSTILE_TEXT, check: 'x', outcome: 'cannot-replay', reason: HOSTILE_TEXT, findings: [] }],
  cases: LATE_OVERLAP.cases.map((result) => ({ ...result, title: HOSTILE_TEXT, skipReason: HOSTILE_TEXT })),
  checks: LATE_OVERLAP.checks.map((result) => ({ ...result, skipReason: HOSTILE_TEXT })),
  coverage: { [HOSTILE_TEXT]: 1 },
  illegal: [{ words: HOSTILE_TEXT, field: HOSTILE_TEXT, outcome: 'broken', detail: HOSTILE_TEXT }],
  scope: {
    words: HOSTILE_TEXT,
    batches: 1,
    palette: [HOSTILE_TEXT],
    orders: 1,
    histories: 1,
    failing: 1,
    forgiven: 0,
    completed: true,
    findings: [],
    timings: { totalMs: 1, implementationMs: 1, generateMs: 0, judgeMs: 0 },
  },
  findings: [
    {
      ...SAMPLE!,
      id: HOSTILE_TEXT,
      check: HOSTILE_TEXT,
      implies: [HOSTILE_TEXT],
      message: HOSTILE_TEXT,
      case: HOSTILE_TEXT,
      feed: HOSTILE_TEXT,
      replay: HOSTILE_TEXT,
      key: { [HOSTILE_TEXT]: HOSTILE_TEXT },
      decision: { field: 'deletes', option: HOSTILE_TEXT },
      expected: [sampleVersion(HOSTILE_TEXT, '2026-03-01T06:00:00.000000Z', null)],
      actual: [sampleVersion(HOSTILE_TEXT, HOSTILE_TEXT, HOSTILE_TEXT, ['validFrom'])],
      counterexample: { batches: [sampleBatch(HOSTILE_TEXT, [sampleRow(HOSTILE_TEXT)], true)] },
      facts: [
        { instant: HOSTILE_TEXT, amount: 100, expected: HOSTILE_TEXT, met: [HOSTILE_TEXT, HOSTILE_TEXT] },
      ],
      money: {
        facts: 1,
        total: 1,
        moved: 1,
        moves: [{ from: HOSTILE_TEXT, to: HOSTILE_TEXT, amount: 1 }],
      },
    },
  ],
};

/** So many findings, of different keys. */
export function manyFindings(count: number): Report {
  const findings = Array.from(
    { length: count },
    (_, index): Finding => ({ ...SAMPLE!, id: `no-overlap-${index}` }),
  );
  return { ...LATE_OVERLAP, findings };
}

/** So many problems, each with an error stream of long lines. */
export function manyProblems(count: number): Report {
  const [problem] = TIMEOUT.problems;
  const stderr = Array.from({ length: 200 }, () => 'x'.repeat(5000)).join('\n');
  return { ...TIMEOUT, problems: Array.from({ length: count }, () => ({ ...problem!, stderr })) };
}
