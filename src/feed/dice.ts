import fc from 'fast-check';

/**
 * All choices of the generators come from one stream of integers that fast-check draws from a seed: the same seed gives the same
 * feeds on every machine. What is generated is plain data, and is stored and shrunk as such, so the draws need no history of their own.
 */
export interface Dice {
  /** An integer from 0 to `count - 1`. */
  below(count: number): number;
  chance(percent: number): boolean;
  pick<T>(list: readonly T[]): T;
  shuffled<T>(list: readonly T[]): T[];
}

const FACES = 2 ** 30;
const NUMBERS = fc.infiniteStream(fc.integer({ min: 0, max: FACES - 1 }), { noHistory: true });

/** Dice for the nth thing that is drawn with a seed. */
export function rollDice(seed: number, index = 0): Dice {
  const mixed = (seed ^ Math.imul(index + 1, 0x9e3779b1)) | 0;
  const [numbers] = fc.sample(NUMBERS, { seed: mixed, numRuns: 1, unbiased: true });
  const below = (count: number): number => (numbers!.next().value as number) % count;
  return {
    below,
    chance: (percent) => below(100) < percent,
    pick: (list) => list[below(list.length)]!,
    shuffled: (list) => {
      const copy = [...list];
      for (let at = copy.length - 1; at > 0; at--) {
        const other = below(at + 1);
        [copy[at], copy[other]] = [copy[other]!, copy[at]!];
      }
      return copy;
    },
  };
}
