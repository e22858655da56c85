import { clockInjected } from '../checks/over-time/clock-injected.ts';
import { type Contract, grainMicros } from '../contract/contract.ts';
import { truncateInstant } from '../contract/instant.ts';
import type { Feed } from '../feed/feed.ts';
import { sendable } from '../feed/sendable.ts';
import type { Implementation, SetClock } from '../plugins/implementation.ts';
import { clockRefusal, withClock } from '../plugins/set-clock.ts';
import { judgeGroup } from '../runner/judge-group.ts';
import { runPart } from '../runner/packed-part.ts';
import { runFeed } from '../runner/session.ts';
import { Examiner } from '../search/examine.ts';
import { findDefects } from '../search/find.ts';
import { type ClockOptions, type ClockOutcome, notDone } from './clock.ts';
import { RepetitionEnded } from './examine.ts';
import { repeatedFeeds } from './feeds.ts';

/*
 * `clock: moved`, ticking. A clock that stands still hides that a load reads it twice: on the day it is run for good, the end of one version and
 * the start of the next are two readings. So one feed is sent while the clock goes on by a grain from each reading to the next.
 *
 * A load that reads it once, but late, is right, with a stamp some grains after the instant of its batch. That is `clock: wall` with a window of
 * known size in the place of one that was measured, and is judged as that: each stamp is mapped to its batch, and what is left to find is a load
 * whose readings differ where a version touches the next. Batches are so far apart that no window reaches the next one.
 *
 * Engines tick as their own clocks do: DuckDB from transaction to transaction, SQLite and MySQL from statement to statement.
 */

const TICKING: SetClock = { shows: 'batch', ticks: true };

export async function runTicking(options: ClockOptions): Promise<ClockOutcome> {
  const { implementation, seed, stop, deadline, shrinkMs } = options;
  const contract: Contract = { ...options.contract, clock: 'wall', late: 'never', sameInstant: 'never' };
  const refusal = clockRefusal(implementation, TICKING, options.contract);
  if (refusal !== null) return notDone(`no feed was sent while the clock ticks: ${refusal}`);
  if (!['snapshot', 'delta'].includes(sendable(contract).mode))
    return notDone(
      'no feed was sent while the clock ticks: the instants of rows, and not the clock, date versions',
    );
  const ticking = tickingImplementation(implementation, options.contract);
  const checks = [clockInjected.id];
  const batches = repeatedFeeds(contract, seed).short.map(({ batch }) => batch);
  const feed = spaced(contract, { id: ID, batches });
  const part = await runPart([feed], { implementation: ticking, contract, checks, stop, progress: () => {} });
  if (part.failure !== null || !part.completed) throw new RepetitionEnded(part.failure);
  const [tally] = part.tallies.flat();
  if (tally === undefined || tally.exercised === 0)
    return notDone('no feed was sent while the clock ticks: no load came to an end');
  const violations = tally.violations.filter(({ found }) => found['what'] === 'twice');
  const isFound = violations.length > 0;
  return {
    tally: {
      id: clockInjected.id,
      skipReason: null,
      exercised: tally.exercised,
      count: violations.length,
      violations: [],
    },
    findings: isFound ? await explained() : [],
    whyNot: null,
  };

  async function explained() {
    const examiner = new Examiner(ticking, contract, checks);
    const until = Math.min(deadline, performance.now() + shrinkMs);
    const limits = { maxFailures: 1, deadline: until };
    const { defects } = await findDefects(examiner, contract, part.failing, [], limits);
    const smallest = { ...(defects[0]?.feed ?? feed), id: ID };
    const outcome = await runFeed(ticking, contract, smallest);
    if ('failed' in outcome) throw new RepetitionEnded(outcome.failed);
    const verdict = await judgeGroup(contract, [outcome.trace], {
      checks,
      join: null,
      store: async () => undefined,
      replay: options.replay,
      knownId: () => null,
      members: new Map(),
      caseIds: false,
      // Which decision would explain it is no question here.
      deadline: 0,
    });
    return 'findings' in verdict ? verdict.findings.slice(0, 1) : [];
  }
}

const ID = `repetition/${clockInjected.id}`;

/** Grains from one batch to the next: more than the readings of a load. A day has to be a day that clocks can show. */
function spanOf({ grain }: Contract): bigint {
  return (grain === 'day' ? 400n : 20_000n) * grainMicros(grain);
}

function spaced(contract: Contract, { id, batches }: Feed): Feed {
  const [first] = batches;
  if (first === undefined) return { id, batches };
  const start = truncateInstant(first.asOf, grainMicros(contract.grain));
  return {
    id,
    batches: batches.map((batch, at) => ({ ...batch, asOf: start + BigInt(at) * spanOf(contract) })),
  };
}

/** It is told its own contract, whatever it is judged by. */
function tickingImplementation(implementation: Implementation, contract: Contract): Implementation {
  const inner = withClock(implementation, TICKING);
  return {
    ...inner,
    start: async (setup) => {
      const session = await inner.start({ ...setup, contract });
      return {
        apply: (batch) => session.apply(batch),
        read: () => session.read(),
        window: ({ asOf }) => ({ from: asOf, to: asOf + spanOf(contract) - 1n }),
        close: () => session.close(),
      };
    },
  };
}
