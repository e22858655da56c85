import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { Finding, Report } from '../src/runner/report.ts';
import {
  ASSUMED_STRICT,
  INCLUSIVE_END,
  LATE_OVERLAP,
  NULL_LOST,
  PASS,
  SAMPLES,
  sampleBatch,
  sampleFinding,
  sampleRow,
  sampleVersion,
  TIMEOUT,
} from './samples.ts';
import { createReporter } from './terminal.ts';
import { written } from './testing.ts';

const render = (report: Report, options = {}) => written(createReporter, report, options);
const [LATE_FINDING] = LATE_OVERLAP.findings;

function many(count: number): Finding[] {
  return Array.from({ length: count }, (_, index) => ({ ...LATE_FINDING!, id: `f${index}` }));
}

describe.each(Object.entries(SAMPLES))('the report of %s', (name, report) => {
  test.each([80, 40])('reads well at %i columns', async (width) => {
    await expect(render(report, { width })).toMatchFileSnapshot(
      `../test/golden/terminal-${name}-${width}.txt`,
    );
  });

  test('reads well in colour at 100 columns', async () => {
    const text = render(report, { width: 100, color: true });
    await expect(text).toMatchFileSnapshot(`../test/golden/terminal-${name}-100-color.txt`);
  });

  test('holds the same words in colour as without', () => {
    const colored = render(report, { color: true });
    expect(colored).not.toBe(render(report));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours are made of
    expect(colored.replace(/\x1b\[\d+m/g, '')).toBe(render(report));
  });

  test.each([32, 40, 60, 80, 120])('keeps to %i columns but for what is to be copied', (width) => {
    const lines = render(report, { width }).split('\n');
    const wide = lines.filter(
      (line) => stringWidth(line) > width && !/npx scd2check|-- scd2check:/.test(line),
    );
    expect(wide).toEqual([]);
  });
});

const RANDOM = {
  seed: 1,
  histories: 1000,
  batches: 60,
  facts: 9000,
  failing: 0,
  forgiven: 0,
  completed: true,
  findings: [],
  timings: { totalMs: 900, implementationMs: 600, generateMs: 50, judgeMs: 250 },
};

describe('the terminal reporter', () => {
  test('prints one line where it is to be quiet', () => {
    expect(render(LATE_OVERLAP, { quiet: true })).toBe('FAIL  load/customers.sql: 1 finding: no-overlap\n');
    expect(render(PASS, { quiet: true })).toBe(
      'PASS  examples/merge.sql: every selected check was exercised and held\n',
    );
  });

  test('says why there is no verdict where it is to be quiet', () => {
    const problems = [{ kind: 'start', message: 'load.sql does not start.\nLook at line 3.' }];
    expect(
      render({ ...PASS, verdict: 'inconclusive', problems }, { quiet: true })
        .split('\n')
        .slice(1),
    ).toEqual(['? start: load.sql does not start. Look at line 3.', '']);
  });

  test('shows one finding of each check and names where else it was seen', () => {
    const report = { ...LATE_OVERLAP, findings: many(9) };
    expect(render(report).match(/✗ no-overlap:/g)).toHaveLength(1);
    expect(render(report)).toContain('also in');
    expect(render(report, { full: true }).match(/✗ no-overlap:/g)).toHaveLength(9);
  });

  test('shows five checks that fail and counts the rest, all of them with --full', () => {
    const checks = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const findings = many(7).map((finding, index) => ({ ...finding, check: checks[index]! }));
    const report = { ...LATE_OVERLAP, findings };
    expect(render(report).match(/^✗ [a-g]:/gm)).toHaveLength(5);
    expect(render(report)).toContain('… 2 more findings (f 1, g 1): --full shows all');
    expect(render(report, { full: true }).match(/^✗ [a-g]:/gm)).toHaveLength(7);
  });

  test('never mixes what is wrong with what may be meant, and leaves room for both', () => {
    const text = render({ ...ASSUMED_STRICT, findings: [...ASSUMED_STRICT.findings, ...many(9)] });
    const [defects, decisions] = text.split('Decisions that differ from strict (1)');
    expect(defects).toContain('Defects under every contract (10)');
    expect(defects).not.toContain('≈ ');
    expect(decisions).toContain('-- scd2check:deletes ignore');
    expect(decisions).not.toContain('✗ ');
  });

  test('says of a finding under a declared contract which decision would explain it', () => {
    const text = render(INCLUSIVE_END);
    expect(text).toContain('Decisions that differ from the contract (1)');
    expect(text).toContain('this is what `end: inclusive` means; if it is intended, add this');
  });

  test.each([
    ['function', "export const contract = { end: 'inclusive' };"],
    ['python', 'SCD2CHECK = {"end": "inclusive"}'],
    ['command', "contract: { end: 'inclusive' },"],
  ] as const)('declares a decision of a %s in its own language', (kind, line) => {
    expect(render({ ...INCLUSIVE_END, implementation: { name: 'x', kind } })).toContain(line);
  });

  test('cuts a table to ten rows and says how many it left out, but none that differs before one that does not', () => {
    const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}T00:00:00.000000Z`;
    const versions = Array.from({ length: 14 }, (_, index) =>
      sampleVersion('A', day(index + 1), day(index + 2)),
    );
    const wrong = sampleVersion('wrong', day(20), null, ['customer_segment']);
    const batches = versions.map((_, index) => sampleBatch(day(index + 1), [sampleRow('A')]));
    const finding = {
      ...LATE_FINDING!,
      expected: versions,
      actual: [...versions, wrong],
      counterexample: { batches },
    };
    const text = render({ ...LATE_OVERLAP, findings: [finding] });
    expect(text).toContain('… 19 more rows');
    expect(text).toContain('≠wrong');
    expect(text).toContain('… 4 rows of the middle not shown');
    expect(render({ ...LATE_OVERLAP, findings: [finding] }, { full: true })).not.toContain('…');
  });

  test('shows the end of an error stream, as text and not as commands', () => {
    const stderr = Array.from({ length: 30 }, (_, index) => `::error::line ${index}\x1b[2J`).join('\n');
    const text = render({ ...TIMEOUT, problems: [{ ...TIMEOUT.problems[0]!, stderr }] });
    expect(text).toContain('stderr, the last 12 of 30 lines:');
    expect(text).toContain('│ ::error::line 29\\x1b[2J');
    expect(text).not.toContain('line 17');
  });

  test('tells NULL, an empty text, blanks and the text NULL apart', () => {
    const values = [null, '', '  ', 'NULL'];
    const finding = {
      ...NULL_LOST.findings[0]!,
      actual: values.map((value) => sampleVersion(value, null, null)),
    };
    const text = render({ ...NULL_LOST, findings: [finding] });
    for (const shown of [' NULL ', " '' ", " '  ' ", " 'NULL' "]) expect(text).toContain(shown);
  });

  test('says why cases were skipped, and does not count them', () => {
    const text = render(PASS);
    expect(text).toContain('4/4 further cases');
    expect(text).toContain('2 skipped: needs `feed: delta`');
  });

  test('prints what was guessed, and the seed where there is one', () => {
    const seeded = { ...PASS, notes: ['Took `valid_from` for the start.'], random: { ...RANDOM, seed: 42 } };
    const text = written(createReporter, seeded);
    expect(text).toContain('Took `valid_from` for the start.');
    expect(text).toContain('seed 42');
  });

  test('tells what is fixed, what still fails and what cannot be tried of earlier runs', () => {
    const one = { check: 'content', findings: [] };
    const stored = [
      { ...one, id: 'content-1', outcome: 'fixed' as const },
      { ...one, id: 'content-2', outcome: 'fails' as const },
      { ...one, id: 'content-3', outcome: 'cannot-replay' as const, reason: 'A column is gone.' },
    ];
    const text = render({ ...PASS, stored });
    expect(text.replace(/\s+/g, ' ')).toContain(
      'Stored: 3 counterexamples of earlier runs: 1 still fails, 1 fixed (content-1), 1 cannot be replayed.',
    );
    expect(text).toContain('content-3 cannot be replayed: A column is gone.');
  });

  test('sets what the configuration accepts apart, and names what of it is gone', () => {
    const reason = 'Mended in the autumn.';
    const known = [
      { id: LATE_FINDING!.id, reason, gone: false },
      { id: 'content-0', reason, gone: true },
    ];
    const text = render({ ...LATE_OVERLAP, verdict: 'pass', known });
    expect(text).toContain('PASS  nothing is wrong but what the configuration accepts (1)');
    expect(text).not.toContain('✗ no-overlap:');
    expect(text.replace(/\s+/g, ' ')).toContain(`Accepted: ${reason}`);
    expect(text).toContain('content-0 is gone');
    expect(text).toContain('0 findings · 1 known');
  });

  test('with --full lists every check with how often it was exercised', () => {
    expect(render(PASS, { full: true })).toMatch(/no-overlap +✓ pass +38912 +0/);
  });

  test('lets no value reach the terminal but as text', () => {
    const hostile = fc.string({ unit: 'binary', maxLength: 12 });
    fc.assert(
      fc.property(hostile, hostile, fc.constantFrom(40, 80), (value, name, width) => {
        const text = render({ ...LATE_OVERLAP, findings: [hostileFinding(value, name)] }, { width });
        expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        for (const line of text.split('\n')) expect(line.trimStart()).not.toMatch(/^(::|##\[)/);
      }),
      { numRuns: 60 },
    );
  });
});

function hostileFinding(value: string, name: string): Finding {
  const row = { [name]: value, [`${name}2`]: `::error::${value}` };
  const version = { ...sampleVersion('A', null, value, ['validTo']), values: row };
  return {
    ...sampleFinding({
      check: value,
      message: `${value} ::error:: ${name}`,
      decision: { field: 'firstStart', option: value },
    }),
    implies: [value],
    feed: value,
    key: row,
    expected: [version],
    actual: [version],
    counterexample: { batches: [sampleBatch(value, [row], true)] },
    money: { facts: 1, total: 12, moved: 1, moves: [{ from: value, to: name, amount: 1 }] },
    replay: value,
  };
}
