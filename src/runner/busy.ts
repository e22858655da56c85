import type { Implementation } from '../plugins/implementation.ts';

/** The time in which an implementation had something to do, and how often. Sessions that run at once count once in the time. */
export class BusyTime {
  #ms = 0;
  #loads = 0;
  #running = 0;
  #since = 0;

  /** So far, in milliseconds. */
  get ms(): number {
    return this.#running === 0 ? this.#ms : this.#ms + performance.now() - this.#since;
  }

  /** Batches that it was given. */
  get loads(): number {
    return this.#loads;
  }

  /** One load. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#loads++;
    if (this.#running++ === 0) this.#since = performance.now();
    try {
      return await work();
    } finally {
      if (--this.#running === 0) this.#ms += performance.now() - this.#since;
    }
  }
}

const clocks = new WeakMap<Implementation, BusyTime>();

export function busyTime(implementation: Implementation): BusyTime {
  const clock = clocks.get(implementation) ?? new BusyTime();
  clocks.set(implementation, clock);
  return clock;
}
