/** Ctrl-C, `kill`, and a terminal that was closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interruption {
  readonly signal: AbortSignal;
  /** From now on a signal does what it does without us. */
  stop(): void;
}

/** The first signal aborts, for an end in order, with a summary; the second ends the process at once. */
export function listenForInterrupt(): Interruption {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    signal: controller.signal,
    stop: () => {
      for (const name of SIGNALS) process.off(name, onSignal);
    },
  };
}

/**
 * Ends the process at once, with all that it has started: that is done as it exits, which a process that dies of a signal does not.
 * What was started is in process groups of its own, where Ctrl-C does not reach it.
 */
export function endNow(message: string): never {
  process.stderr.write(`scd2check: ${message}\n`);
  process.exit(130);
}
