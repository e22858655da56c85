import { TYPES } from '../../contract/types.ts';
import { sendable } from '../../feed/sendable.ts';
import type { RepetitionCheck } from '../check.ts';

export const orderIndependent: RepetitionCheck = {
  id: 'order-independent',
  group: 'repetition',
  types: TYPES,
  title: 'Whatever order the batches arrive in, the dimension is the same in the end.',
  why: 'A backfill or a retry brings yesterday after today. Where the order decides, two loads of the same data give two histories, and nobody can say which one the reports were made from.',
  implies: [],
  skip: (contract) => {
    if (contract.late !== 'apply') return `late batches are not sorted in (\`late: ${contract.late}\`)`;
    if (contract.clock === 'wall') return 'stamps come from a clock that cannot be set back';
    if (sendable(contract).mode === 'row-time')
      return 'snapshots that are stamped by row time arrive in their order';
    return null;
  },
  message: ({ reason }) =>
    reason === undefined
      ? 'The same batches in another order of arrival gave another dimension.'
      : `The same batches in another order of arrival raised an error: ${reason}`,
};
