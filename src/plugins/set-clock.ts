import { UsageError } from '../cli/usage-error.ts';
import { type Contract, grainMicros } from '../contract/contract.ts';
import type { Implementation, SetClock, Setup } from './implementation.ts';

/** `clock: moved`: it stands still at the instant of each batch. */
const FROZEN: SetClock = { shows: 'batch', ticks: false };

/** What the clock of a session shows; null for the machine's own. */
export function clockOf({ clock, contract }: Pick<Setup, 'clock' | 'contract'>): SetClock | null {
  return clock === undefined ? (contract.clock === 'moved' ? FROZEN : null) : clock;
}

/** What it shows at a reading (counted from 0) while a batch is loaded, in microseconds since the epoch. */
export function timeOf({ shows, ticks }: SetClock, asOf: bigint, { grain }: Contract, reading = 0): bigint {
  // The first one is later than the batch too, as it would be.
  const later = ticks ? grainMicros(grain) * BigInt(reading + 1) : 0n;
  return (shows === 'batch' ? asOf : shows) + later;
}

/** Why the clock cannot be set so; null where it can. */
export function clockRefusal(
  implementation: Pick<Implementation, 'refusesClock'>,
  clock: SetClock,
  contract: Contract,
): string | null {
  if (implementation.refusesClock === undefined) return 'nobody can set its clock';
  return implementation.refusesClock(clock, contract);
}

/** @throws UsageError where the contract says `clock: moved`, and the clock cannot be. */
export function requireClock(implementation: Implementation, contract: Contract): void {
  const reason = contract.clock === 'moved' ? clockRefusal(implementation, FROZEN, contract) : null;
  if (reason === null) return;
  throw new UsageError(
    `The contract of ${implementation.name} says \`clock: moved\`, and that cannot be kept: ${reason}. Under \`clock: wall\` it is judged on everything else; under \`clock: injected\` it takes the instant that each batch brings.`,
  );
}

/** Why a clock that shows no more than `unit` microseconds is too coarse for the instants of a contract; null where it is not. */
export function tooCoarse(
  { shows }: SetClock,
  { grain }: Contract,
  unit: bigint,
  words: string,
): string | null {
  if (shows !== 'batch' || grainMicros(grain) >= unit) return null;
  return `${words}, and the contract says \`grain: ${grain}\`. Declare a coarser grain`;
}

/** The implementation, by another clock than the contract gives it. */
export function withClock(implementation: Implementation, clock: SetClock): Implementation {
  const { name, kind, anyColumns, interruptible = false } = implementation;
  return {
    name,
    kind,
    anyColumns,
    interruptible,
    start: (setup) => implementation.start({ ...setup, clock }),
    close: () => implementation.close(),
  };
}
