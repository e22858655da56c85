import { describeScd2 } from 'scd2check/vitest';
import { dimCustomer } from './dim-customer.ts';

// Loads come in order, and a load that is repeated comes right after itself.
describeScd2(dimCustomer, { contract: { late: 'never' } });
