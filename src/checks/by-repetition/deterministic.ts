import { TYPES } from '../../contract/types.ts';
import type { RepetitionCheck } from '../check.ts';

export const deterministic: RepetitionCheck = {
  id: 'deterministic',
  group: 'repetition',
  types: TYPES,
  title:
    'The same feed from a fresh start gives the same dimension, in whatever order the rows of a batch stand.',
  why: 'A dimension that is rebuilt has other versions than before: last year’s report can never be reproduced, and a defect never found.',
  implies: [],
  skip: (contract) => {
    const open = (['sameInstant', 'duplicates'] as const).find((field) => contract[field] === 'any');
    if (open !== undefined) return `the contract leaves the winner open (\`${open}: any\`)`;
    if (contract.feed === 'changes' && contract.batchStates === 'one')
      return 'the contract leaves the winner open (`batchStates: one`)';
    if (contract.clock === 'wall') return 'stamps come from a clock that is another one in each run';
    return null;
  },
  message: ({ what, reason }) => {
    const again =
      what === 'shuffled'
        ? 'The same feed with the rows of its batches in another order'
        : 'The same feed again';
    return reason === undefined
      ? `${again}, from a fresh start, gave another dimension.`
      : `${again}, from a fresh start, raised an error: ${reason}`;
  },
};
