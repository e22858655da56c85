import { TYPES } from '../../contract/types.ts';
import { sendable } from '../../feed/sendable.ts';
import type { RepetitionCheck } from '../check.ts';

export const batching: RepetitionCheck = {
  id: 'batching',
  group: 'repetition',
  types: TYPES,
  title: 'A delta in two parts at one instant is the same as in one.',
  why: 'Where a load is cut depends on the size of a file. What counts whole batches, or takes the second one of an instant for a repetition, loses the keys of the second part.',
  implies: [],
  skip: (contract) => {
    if (contract.feed !== 'delta')
      return `a batch that is not a delta says something by where it ends (\`feed: ${contract.feed}\`)`;
    if (contract.sameInstant === 'never') return 'no two batches have one instant (`sameInstant: never`)';
    if (contract.clock === 'wall') return 'no two loads have one wall time';
    if (sendable(contract).mode === 'events' && contract.late !== 'apply')
      return `rows with instants of their own would be late in a second part (\`late: ${contract.late}\`)`;
    return null;
  },
  message: ({ reason }) =>
    reason === undefined
      ? 'A batch that came in two parts, of other keys each, gave another dimension than the whole.'
      : `A batch that came in two parts, of other keys each, raised an error: ${reason}`,
};
