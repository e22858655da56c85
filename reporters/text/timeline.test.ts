import { describe, expect, test } from 'vitest';
import type { Finding, VersionRow } from '../../src/runner/report.ts';
import { PASS, sampleBatch, sampleFinding, sampleRow, sampleVersion } from '../samples.ts';
import { PLAIN } from './style.ts';
import { drawTimeline } from './timeline.ts';
import { findingInstants } from './words.ts';

const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}T00:00:00.000000Z`;

function draw(parts: Partial<Finding>, width = 76): string {
  const finding = sampleFinding({ check: 'content', message: '', ...parts });
  const lines = drawTimeline(finding, PASS.contract, findingInstants(finding), { width, style: PLAIN });
  return `\n${lines.join('\n')}\n`;
}

function history(length: number): VersionRow[] {
  return Array.from({ length }, (_, index) =>
    sampleVersion(index % 2 === 0 ? 'A' : 'B', day(index + 1), index === length - 1 ? null : day(index + 2)),
  );
}

describe('a timeline', () => {
  test('gives one microsecond and an end in 9999 the same room', () => {
    const drawn = draw({
      expected: [sampleVersion('A', '2026-03-01T06:00:00.000000Z', '2026-03-01T06:00:00.000001Z')],
      actual: [sampleVersion('A', '2026-03-01T06:00:00.000000Z', '9999-12-31T00:00:00.000000Z', ['validTo'])],
    });
    expect(drawn).toMatchInlineSnapshot(`
      "
      expected  [A──────────────)
      actual    [≠A──────────────────────────────)
                ┴────────────────┴────────────────┴
                2026-03-01       2026-03-01       9999-12-31
                06:00:00.000000  06:00:00.000001
      "
    `);
  });

  test('leaves a gap blank', () => {
    const drawn = draw({
      expected: [sampleVersion('A', day(1), day(2)), sampleVersion('B', day(2), null)],
      actual: [sampleVersion('A', day(1), day(2)), sampleVersion('B', day(3), null, ['validFrom'])],
    });
    expect(drawn).toMatchInlineSnapshot(`
      "
      expected  [A─────────)[B─────────────────────────▶
      actual    [A─────────)            [≠B────────────▶
                ┴───────────┴───────────┴───────────┴
                2026-03-01  2026-03-02  2026-03-03  open
      "
    `);
  });

  test('stacks versions that overlap on further lanes', () => {
    const drawn = draw({
      expected: [
        sampleVersion('A', day(1), day(2)),
        sampleVersion('B', day(2), day(3)),
        sampleVersion('C', day(3), null),
      ],
      actual: [
        sampleVersion('A', day(1), null),
        sampleVersion('B', day(2), null),
        sampleVersion('C', day(3), null),
      ],
    });
    expect(drawn).toMatchInlineSnapshot(`
      "
      expected  [A─────────)[B─────────)[C─────────────▶
      actual    [A─────────────────────────────────────▶
                            [B─────────────────────────▶
                                        [C─────────────▶
                ┴───────────┴───────────┴───────────┴
                2026-03-01  2026-03-02  2026-03-03  open
      "
    `);
  });

  test('shows a version of no length as a point, and one that ends before it starts with its brackets turned', () => {
    const drawn = draw({
      expected: [sampleVersion('A', day(1), day(2))],
      actual: [
        sampleVersion('A', day(1), day(1)),
        sampleVersion('B', day(2), day(1)),
        sampleVersion('B', day(2), null),
      ],
    });
    expect(drawn).toMatchInlineSnapshot(`
      "
      expected  [A─────────)
      actual    )B─────────[[B─────────────▶
                ◆A
                ┴───────────┴───────────┴
                2026-03-01  2026-03-02  open
      ◆ starts and ends at one instant · )─[ ends before it starts
      "
    `);
  });

  test('has a place for a missing start', () => {
    const drawn = draw({
      expected: [sampleVersion('A', day(1), null)],
      actual: [sampleVersion('A', null, day(1))],
    });
    expect(drawn).toMatchInlineSnapshot(`
      "
      expected            [A─────────────▶
      actual    [A───────)
                ┴─────────┴───────────┴
                no start  2026-03-01  open
      "
    `);
  });

  test('marks late batches under the instant they are of, even where no version begins there', () => {
    const batches = [
      sampleBatch(day(3), [sampleRow('A')]),
      sampleBatch(day(1), [sampleRow('A')], true),
      sampleBatch(day(2), [sampleRow('A')], true),
      sampleBatch(day(2), [sampleRow('A')], true),
    ];
    const drawn = draw({
      expected: [sampleVersion('A', day(1), null)],
      actual: [],
      counterexample: { batches },
    });
    expect(drawn).toMatchInlineSnapshot(`
      "
      expected  [A─────────────────────────▶
      actual    (no versions)
                ┴───────────┴───────────┴
                2026-03-01  2026-03-02  open
      late      ▲ batch 2   ▲ batch 3, 4
      "
    `);
  });

  test('turns its labels into letters where there is little room', () => {
    expect(draw({ expected: history(4), actual: history(4) }, 36)).toMatchInlineSnapshot(`
      "
      E  [A─)[B─)[A─)[B─────▶
      D  [A─)[B─)[A─)[B─────▶
         ┴───┴───┴───┴───┴
         a   b   c   d   open
      a 2026-03-01 · b 2026-03-02
      c 2026-03-03 · d 2026-03-04
      "
    `);
  });

  test('draws the part around the first difference where there are too many boundaries', () => {
    const actual = history(28).map((version, index) =>
      index === 14 ? { ...version, differs: ['validTo'] } : version,
    );
    expect(draw({ expected: history(28), actual })).toMatchInlineSnapshot(`
      "
      expected  [B─)[A─)[B─)[A─)[B─)[A─)[B─)[A─)[B─)[A─)[B─)[A─)[B─)[A─)[B─▶
      actual    [B─)[≠A)[B─)[A─)[B─)[A─)[B─)[A─)[B─)[A─)[B─)[A─)[B─)[A─)[B─▶
                ┴───┴───┴───┴───┴───┴───┴───┴───┴───┴───┴───┴───┴───┴───┴─…
                a   b   c   d   e   f   g   h   i   j   k   l   m   n   o
      a 2026-03-14 · b 2026-03-15 · c 2026-03-16 · d 2026-03-17 · e 2026-03-18
      f 2026-03-19 · g 2026-03-20 · h 2026-03-21 · i 2026-03-22 · j 2026-03-23
      k 2026-03-24 · l 2026-03-25 · m 2026-03-26 · n 2026-03-27 · o 2026-03-28
      boundaries 14 to 28 of 29
      "
    `);
  });

  test('cuts long values, of wide characters too, so that the bars keep their ends', () => {
    const value = '長い値'.repeat(10);
    const drawn = draw({
      expected: [sampleVersion(value, day(1), day(2)), sampleVersion('e\u0301\u202e', day(2), null)],
      actual: [sampleVersion(value, day(1), null, ['validTo'])],
    });
    expect(drawn).toMatchInlineSnapshot(`
      "
      expected  [長い値長い値長い値長…)['e\\u{301}\\u{202e}'─────▶
      actual    [≠長い値長い値長い値長い値長い値長い値長い値長…▶
                ┴──────────────────────┴────────────────────┴
                2026-03-01             2026-03-02           open
      "
    `);
  });
});
