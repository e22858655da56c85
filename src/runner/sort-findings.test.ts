import { expect, test } from 'vitest';
import type { Finding } from './report.ts';
import { sortFindings } from './sort-findings.ts';

function finding(feed: string, batches: number, named?: string): Finding {
  return {
    check: 'content',
    feed,
    counterexample: { batches: Array.from({ length: batches }) },
    ...(named === undefined ? {} : { case: named }),
  } as unknown as Finding;
}

test('of one check a boundary case leads, then another named case, then the smallest feed', () => {
  const sorted = sortFindings([
    finding('random/1-content', 2),
    finding('scope/1-content', 1),
    finding('case/change-and-back', 3, 'change-and-back'),
    finding('case/segment-change', 2, 'segment-change'),
  ]);
  expect(sorted.map(({ feed }) => feed)).toEqual([
    'case/segment-change',
    'case/change-and-back',
    'scope/1-content',
    'random/1-content',
  ]);
});
