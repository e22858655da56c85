import { grainMicros } from '../../src/contract/contract.ts';
import { declareContract } from '../../src/contract/declare.ts';
import { truncateInstant } from '../../src/contract/instant.ts';
import type { Batch, Session, Setup } from '../../src/plugins/implementation.ts';
import type { OpenedImplementation } from '../../src/plugins/opened.ts';
import { implementationOf } from '../mutants/base.ts';
import { linesOf } from '../mutants/open.ts';
import type { OneOption } from './options.ts';

/**
 * An implementation that holds one option, and knows of itself what it does: of the contract that it is started with it reads nothing but
 * its key and attribute columns, so that it does the same whatever it is judged by. It declares its columns, and nothing that it decides.
 */
export function deciding({ field, option, decisions, roles, rules }: OneOption): OpenedImplementation {
  const base = implementationOf(`${field}-${option}`, rules);
  const own = declareContract([[...linesOf(roles), ...linesOf(decisions)]]).contract;
  const start = async (setup: Setup): Promise<Session> => {
    const { key, tracked, untracked } = setup.contract.columns;
    const contract = { ...own, columns: { ...own.columns, key, tracked, untracked } };
    const session = await base.start({ ...setup, contract });
    const cut = (batch: Batch) => ({ ...batch, asOf: truncateInstant(batch.asOf, grainMicros(own.grain)) });
    return { ...session, apply: (batch) => session.apply(cut(batch)) };
  };
  return { ...base, declared: linesOf(roles), start };
}
