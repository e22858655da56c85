import type { Reporter } from '../../reporters/reporter.ts';
import type { Report, RunEvent } from '../runner/report.ts';

/** A reporter that cannot stop a run, nor the other reporters. */
export interface GuardedReporter {
  onEvent(event: RunEvent): void;
  /** Gives it the report and writes its files. */
  end(report: Report): Promise<void>;
}

export interface Guarded {
  readonly reporter: Reporter;
  flush(): void;
  /** A third party's gets copies, so that what it changes is its own. */
  readonly own: boolean;
}

/** Longest time for a third party's `onEnd`: a report that is sent somewhere may never be answered. */
const LONGEST_END_MS = 60_000;

/** Calls a reporter until it fails; that is told once, and from then on it is left alone. */
export function guarded(
  { reporter, flush, own }: Guarded,
  onFailure: (error: unknown) => void,
): GuardedReporter {
  let failed = false;
  const fail = (error: unknown) => {
    if (!failed) onFailure(error);
    failed = true;
  };
  const given = <T>(value: T): T => (own ? value : structuredClone(value));
  return {
    onEvent: (event) => {
      if (failed) return;
      try {
        // A third party's handler may be asynchronous, though nobody waits for it.
        const answer: unknown = reporter.onEvent?.(given(event));
        if (answer instanceof Promise) answer.catch(fail);
      } catch (error) {
        fail(error);
      }
    },
    end: async (report) => {
      if (failed) return;
      try {
        await withinTime(Promise.resolve(reporter.onEnd?.(given(report))));
        if (!failed) flush();
      } catch (error) {
        fail(error);
      }
    },
  };
}

async function withinTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`it was not done within ${LONGEST_END_MS / 1000} s`)),
      LONGEST_END_MS,
    );
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
