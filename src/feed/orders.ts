/** Orders of arrival, for the small scope. Places count from 0; the first of each list is the order of time. */

/** All orders of `count` batches. */
export function permutations(count: number): readonly (readonly number[])[] {
  const arrange = (left: readonly number[]): readonly (readonly number[])[] =>
    left.length === 0
      ? [[]]
      : left.flatMap((one) => arrange(left.filter((other) => other !== one)).map((rest) => [one, ...rest]));
  return arrange(range(count));
}

/** All ways of dividing `count` events into batches that arrive one after the other: 1, 3, 13, 75, 541, … */
export function divisions(count: number): readonly (readonly (readonly number[])[])[] {
  const divide = (left: readonly number[]): readonly (readonly (readonly number[])[])[] =>
    left.length === 0
      ? [[]]
      : subsets(left).flatMap((batch) =>
          divide(left.filter((one) => !batch.includes(one))).map((rest) => [batch, ...rest]),
        );
  return [...divide(range(count))].sort((a, b) => b.length - a.length);
}

/** Whether no batch holds an event from before one that came in an earlier batch. */
export function isInOrder(batches: readonly (readonly number[])[]): boolean {
  const events = batches.flat();
  return events.every((event, at) => event === at);
}

/** All sequences of `length` symbols; those that end in the first symbols come first. */
export function sequences<Symbol>(
  symbols: readonly Symbol[],
  length: number,
): readonly (readonly Symbol[])[] {
  if (length === 0) return [[]];
  return sequences(symbols, length - 1).flatMap((start) => symbols.map((symbol) => [...start, symbol]));
}

/** All subsets but the empty one, each in ascending order, small ones first. */
function subsets(of: readonly number[]): readonly (readonly number[])[] {
  const all = range(2 ** of.length - 1).map((bits) => of.filter((_, at) => ((bits + 1) >> at) & 1));
  return all.sort((a, b) => a.length - b.length);
}

export function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => at);
}
