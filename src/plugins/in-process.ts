import type { Contract } from '../contract/contract.ts';
import type { Calls, FunctionCalls, Host } from './host/calls.ts';
import { functionCalls } from './host/function.ts';
import { HostedImplementation } from './host/hosted.ts';
import type { ApplyFunction } from './host/module.ts';
import { type CallLimits, ImplementationFailure } from './implementation.ts';
import type { OpenedImplementation } from './opened.ts';

/** What a host process does, in this one: what crosses is cloned, as between processes. A call that never yields cannot be stopped here. */
export function hostInThisProcess<C extends Calls>(calls: C): Host<C> {
  return {
    alive: true,
    call: (name, argument, { doing, limitMs }) =>
      within(limitMs, doing, calls[name]!(structuredClone(argument) as never) as never),
    output: () => '',
    close: () => {},
  };
}

/**
 * Opens a function that the caller has at hand, where it is: in this process. It shares everything with its caller, its clock too, so only its
 * own promise of time is kept: what awaits too long is a failure, and what loops without end is for the caller's test runner to stop.
 */
export function openApplyFunction(apply: ApplyFunction, limits: CallLimits): OpenedImplementation {
  const name = apply.name || 'an unnamed function';
  const module = { implementation: apply, contract: undefined, anyColumns: false, rows: 'objects' } as const;
  const host = hostInThisProcess<FunctionCalls>(functionCalls(async () => module, name));
  return new HostedImplementation({
    name,
    kind: 'function',
    concurrency: 1,
    anyColumns: false,
    interruptible: false,
    declared: [],
    refusesClock: (_clock, _contract: Contract) =>
      'a function in the process of its caller shares the clock with it. Name the file that holds it instead',
    limits,
    host,
    reopen: async () => host,
  });
}

async function within<T>(limitMs: number, doing: string, call: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new ImplementationFailure('timeout', `${doing} did not finish in ${limitMs / 1000} s.`)),
      limitMs,
    );
  });
  try {
    return await Promise.race([call, late]);
  } finally {
    clearTimeout(timer);
  }
}
