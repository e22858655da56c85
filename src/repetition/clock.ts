import type { CheckTally } from '../checks/judge.ts';
import { clockInjected } from '../checks/over-time/clock-injected.ts';
import type { SetClock } from '../plugins/implementation.ts';
import { clockRefusal } from '../plugins/set-clock.ts';
import type { Finding } from '../runner/report.ts';
import { Repeater, RepetitionEnded } from './examine.ts';
import { repeatedFeeds } from './feeds.ts';
import { planWallTimes } from './plan.ts';
import { explain, NOTHING_PROMISED, type RepetitionOptions } from './run.ts';
import { runTicking } from './ticking.ts';

/** What the clock's own repetition came to. */
export interface ClockOutcome {
  /** Null where it was not done. */
  readonly tally: CheckTally | null;
  readonly findings: readonly Finding[];
  /** Why it was not done; null where it was, or where the contract leaves nothing to do. */
  readonly whyNot: string | null;
}

export type ClockOptions = Omit<RepetitionOptions, 'checks' | 'progress'>;

/**
 * `clock-injected` by repetition. Under `clock: injected` a feed is sent at two wall times, years apart, and the dimension must be the same: an
 * implementation that asks the clock what to load is found, though its stamps look right. Under `clock: moved` a feed is sent while the clock ticks,
 * and each load must have read it once. Under `clock: wall` the clock ticks anyway.
 */
export async function runClock(options: ClockOptions): Promise<ClockOutcome> {
  const { clock } = options.contract;
  if (clock === 'wall') return { tally: null, findings: [], whyNot: null };
  try {
    return await (clock === 'moved' ? runTicking(options) : runAtOtherTimes(options));
  } catch (error) {
    if (!(error instanceof RepetitionEnded)) throw error;
    const reason = error.failure?.failure.message ?? 'the run ended before';
    return notDone(`no feed was sent at another wall time: ${reason}`);
  }
}

export function notDone(whyNot: string): ClockOutcome {
  return { tally: null, findings: [], whyNot };
}

const SOME_TIME: SetClock = { shows: 0n, ticks: false };

async function runAtOtherTimes(options: ClockOptions): Promise<ClockOutcome> {
  const { implementation, contract, seed, stop } = options;
  const refusal = clockRefusal(implementation, SOME_TIME, contract);
  if (refusal !== null) return notDone(`no feed was sent at another wall time: ${refusal}`);
  const repeater = new Repeater(implementation, contract, stop);
  const [examined] = await repeater.examine([planWallTimes(repeatedFeeds(contract, seed))]);
  const { exercised, differences } = examined!;
  if (exercised === 0 && differences.length === 0)
    return notDone(`two wall times were not compared: ${NOTHING_PROMISED}`);
  const count = new Set(differences.map(({ key }) => key)).size;
  const findings = count === 0 ? [] : [await explain(clockInjected, examined!, repeater, options)];
  return {
    tally: { id: clockInjected.id, skipReason: null, exercised, count, violations: [] },
    findings,
    whyNot: null,
  };
}
