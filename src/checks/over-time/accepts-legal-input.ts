import { TYPES } from '../../contract/types.ts';
import { always, type Check } from '../check.ts';

export const acceptsLegalInput: Check = {
  id: 'accepts-legal-input',
  group: 'time',
  types: TYPES,
  beyondOracle: true,
  title: 'A batch that the contract allows is applied, the third as well as the first.',
  why: 'The nightly load stops at the first odd row, and the dimension stays as it was until somebody notices.',
  implies: ['content', 'version-count', 'open-count', 'current-value', 'history-complete'],
  skip: always,
  violations:
    () => `SELECT h.feed, h.batch AS step, NULL::INTEGER AS key, h.status, h.reason FROM happened h JOIN outcome o USING (feed, batch)
    WHERE h.status <> 'applied' AND NOT o.rejected`,
  exercised: () => 'SELECT count(*) FROM happened',
  message: ({ status, reason }) =>
    `The implementation ${status === 'rejected' ? 'refused' : 'raised an error on'} a legal batch: ${reason}`,
};
