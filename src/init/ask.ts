import { createInterface } from 'node:readline/promises';
import type { Beginning } from './files.ts';
import { CIS, KINDS } from './files.ts';

export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** What flags leave open. */
export type Open = { readonly [Name in keyof Beginning]: Beginning[Name] | null };

/** Loads that come in order are a promise of the source's, under which less is asked. */
const IN_ORDER = { preset: 'strict', late: 'never' } as const;

/**
 * Asks for what flags did not say: three things at most. An empty answer takes the first, and so does the end of the input.
 *
 * @returns null where a question is interrupted (Ctrl-C)
 */
export async function askOpen(open: Open, { input, output }: Terminal): Promise<Beginning | null> {
  const terminal = createInterface({ input, output });
  let interrupted = false;
  terminal.on('SIGINT', () => {
    interrupted = true;
    terminal.close();
  });
  // The lines are kept as they come: a terminal that is a pipe delivers all of them at once.
  const lines = terminal[Symbol.asyncIterator]();
  const choose = async <T extends string>(
    question: string,
    choices: readonly (readonly [T, string])[],
  ): Promise<T> => {
    if (interrupted) return choices[0]![0];
    output.write(`${question}\n`);
    for (const [index, [, words]] of choices.entries()) output.write(`  ${index + 1}  ${words}\n`);
    for (;;) {
      output.write(`1–${choices.length} [1]: `);
      const line = await lines.next();
      const text = line.done === true ? '' : line.value.trim();
      if (line.done === true && !interrupted) output.write('\n');
      const chosen =
        text === '' ? choices[0] : (choices[Number(text) - 1] ?? choices.find(([name]) => name === text));
      if (chosen !== undefined) return chosen[0];
      output.write(`\`${text}\` is none of them. `);
    }
  };
  const named = <T extends string>(table: Record<T, { readonly words: string }>) =>
    (Object.keys(table) as T[]).map((name) => [name, table[name].words] as const);
  try {
    const kind = open.kind ?? (await choose('What will the dimension be loaded by?', named(KINDS)));
    const contract =
      open.contract ??
      ((await choose('Can a load arrive late, after one of a later day?', [
        ['late', 'yes: late data goes where it belongs (contract `strict`)'],
        ['in-order', 'no: loads always come in order (`strict`, with `late: never`)'],
      ])) === 'late'
        ? 'strict'
        : IN_ORDER);
    const ci = open.ci ?? (await choose('Which CI runs it?', named(CIS)));
    return interrupted ? null : { kind, contract, ci };
  } finally {
    terminal.close();
  }
}
