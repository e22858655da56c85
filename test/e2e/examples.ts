/** The examples, and the exit code that they end with. */
export const EXAMPLES = [
  ['examples/observation-log.sql', 0],
  ['examples/observation-log.ts', 0],
  ['examples/observation-log.py', 0],
  ['examples/types/type-1.sql', 0],
  ['examples/types/type-3.sql', 0],
  ['examples/types/type-4.sql', 0],
  ['examples/types/type-6.sql', 0],
  ['examples/seeds/daily-merge.sql', 1],
  ['examples/seeds/recipe.sql', 1],
  ['examples/seeds/recipe-hash.sql', 1],
  ['examples/seeds/recipe-delete.sql', 1],
  ['examples/seeds/boundary.py', 1],
] as const;

/** What the golden file of an example is called. */
export function goldenName(path: string): string {
  return `${path.replace('examples/', '').replaceAll('/', '-')}.txt`;
}
