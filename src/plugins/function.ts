import { basename } from 'node:path';
import type { FunctionCalls, Host } from './host/calls.ts';
import { HostProcess } from './host/client.ts';
import { HostedImplementation } from './host/hosted.ts';
import type { CallLimits } from './implementation.ts';
import type { Isolation } from './isolation/isolation.ts';
import type { Declared, OpenedImplementation } from './opened.ts';
import { tooCoarse } from './set-clock.ts';

/**
 * Opens a JavaScript or TypeScript module in a process of its own.
 *
 * Its default export is `apply(state, rows, { asOf, contract })`, which returns the new state, or an object with
 * `start`, `apply` and `read` that keeps its state itself. Named exports: `contract` (fields it declares, or the
 * name of a preset), `anyColumns` (true where it takes its columns from the contract), `rows` (`'arrow'` where it
 * wants Arrow tables). A batch is refused by throwing an error named `Rejected`, or one with `rejected: true`.
 *
 * @param path absolute path of the module
 * @throws ImplementationFailure of kind `start` where it cannot be loaded or exports nothing usable
 */
export function openFunction(
  path: string,
  limits: CallLimits,
  isolation: Isolation | null = null,
): Promise<OpenedImplementation> {
  const startHost = () => new HostProcess<FunctionCalls>('function', basename(path), isolation);
  return openFunctionIn(startHost, isolation?.inside(path) ?? path, limits);
}

/** As `openFunction`, in hosts that the caller makes. */
export async function openFunctionIn(
  startHost: () => Host<FunctionCalls>,
  path: string,
  limits: CallLimits,
): Promise<OpenedImplementation> {
  const open = async () => {
    const host = startHost();
    try {
      const exports = await host.call('open', { path }, { doing: 'loading', limitMs: limits.startMs });
      return { host, ...exports };
    } catch (error) {
      host.close();
      throw error;
    }
  };
  const { host, contract, anyColumns } = await open();
  return new HostedImplementation({
    name: basename(path),
    kind: 'function',
    concurrency: 1,
    anyColumns,
    interruptible: false,
    declared: declaredBy(contract),
    refusesClock: (clock, contract) =>
      tooCoarse(clock, contract, 1000n, 'the clock of JavaScript (`Date`) shows milliseconds'),
    limits,
    host,
    reopen: async () => (await open()).host,
  });
}

/** A text names a preset; an object has fields. Anything else is passed on as it is, for the contract to refuse. */
function declaredBy(contract: unknown): Declared[] {
  const where = 'export contract';
  if (contract === undefined || contract === null) return [];
  if (typeof contract !== 'object' || Array.isArray(contract))
    return [{ name: 'contract', value: contract, where }];
  return Object.entries(contract).map(([name, value]) => ({ name, value, where }));
}
