import type { Contract } from '../contract/contract.ts';
import { grainMicros } from '../contract/contract.ts';
import { truncateInstant } from '../contract/instant.ts';

/** The time that a load took by the clock on the wall, in microseconds since the epoch, its ends included. */
export interface Window {
  readonly from: bigint;
  readonly to: bigint;
}

/** This process's clock shows milliseconds; an implementation's may show more. */
const TICK = 1000n;

/** Runs a load, and notes when. */
export async function timed<T>(
  load: () => Promise<T>,
): Promise<{ readonly value: T; readonly window: Window }> {
  const from = now();
  const value = await load();
  return { value, window: { from, to: now() + TICK - 1n } };
}

/**
 * Waits until a stamp of the next load cannot be one of the last: under `clock: wall` a stamp says which load it is from, and an
 * implementation that keeps seconds gives loads of one second the same.
 */
export async function waitForNext({ clock, grain }: Contract, last: Window | null): Promise<void> {
  if (clock !== 'wall' || last === null) return;
  const unit = grainMicros(grain);
  const next = truncateInstant(last.to, unit) + (unit > TICK ? unit : TICK);
  for (let left = next - now(); left > 0n; left = next - now())
    await new Promise((resolve) => setTimeout(resolve, Number(left / TICK) + 1));
}

function now(): bigint {
  return BigInt(Date.now()) * TICK;
}
