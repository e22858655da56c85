import { expect, test } from 'vitest';
import { implementationOf, RIGHT } from '../../test/mutants/base.ts';
import { REPETITION_CHECKS } from '../checks/index.ts';
import { contractOf, NAMED, someContracts } from '../feed/testing.ts';
import { runRepetition } from './run.ts';
import { rightBut } from './testing.ts';

const go = (implementation: any, contract: any, seed: number) =>
  runRepetition({
    implementation,
    contract,
    checks: REPETITION_CHECKS.map((c) => c.id),
    seed,
    deadline: performance.now() + 60000,
    shrinkMs: 20000,
    stop: () => false,
    progress: () => undefined,
    replay: (f) => f,
  });
const list = someContracts(40, 77);
test.each(list.map((c, i) => [i, c] as const))('oracle %i', async (i, c) => {
  const o = await go(rightBut({ breakOff: () => [] }), c, 100 + i);
  expect(o.findings).toEqual([]);
  expect(o.tallies.filter((t) => t.skipReason === null && t.exercised === 0).map((t) => t.id)).toEqual([]);
});
const dims = [
  { lateEvidence: 'dimension' },
  { lateEvidence: 'dimension', feed: 'delta', sameInstant: 'last', operation: 'op' },
  { lateEvidence: 'dimension', untracked: 'current' },
  { lateEvidence: 'dimension', deletes: 'ignore', untracked: 'all' },
  { late: 'reject' },
  { late: 'ignore', lateScope: 'key' },
  { feed: 'changes', changedAt: 'changed_at timestamp not null', untracked: 'current', sameInstant: 'first' },
];
test.each([...Object.values(NAMED), ...dims.map(contractOf)].map((c, i) => [i, c] as const))(
  'mutant base %i',
  async (i, c) => {
    const o = await go(implementationOf('right', RIGHT), c, 100 + i);
    expect(o.findings).toEqual([]);
    expect(o.tallies.filter((t) => t.skipReason === null && t.exercised === 0).map((t) => t.id)).toEqual([]);
  },
);
