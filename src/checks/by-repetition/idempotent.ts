import { TYPES } from '../../contract/types.ts';
import type { RepetitionCheck } from '../check.ts';

export const idempotent: RepetitionCheck = {
  id: 'idempotent',
  group: 'repetition',
  types: TYPES,
  title: 'The same batch again changes nothing.',
  why: 'Every scheduler runs a load twice some day. What a second run adds is counted twice from then on, and what it closes is gone.',
  implies: [],
  skip: () => null,
  message: ({ when, reason }) => {
    const again = when === 'later' ? 'The same batch again, after others had come,' : 'The same batch again';
    return reason === undefined ? `${again} changed the dimension.` : `${again} raised an error: ${reason}`;
  },
};
