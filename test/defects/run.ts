import { join } from 'node:path';
import { readEntries } from './entry.ts';
import { examine } from './examine.ts';
import { printLine, printSummary } from './print.ts';

/*
 * `npm run defects [-- <file.jsonl>]`: wrong SCD2 dimensions that people reported. For each, both oracles must call for the right
 * dimension, and the checks must notice the wrong one. Exit 0 exactly if that holds of every entry that can be expressed.
 */

const path = process.argv[2] ?? join(import.meta.dirname, 'reported.jsonl');
try {
  const outcomes = await examine(await readEntries(path));
  process.stdout.write(outcomes.map(printLine).join('') + printSummary(outcomes));
  process.exitCode = outcomes.some(({ status }) => status === 'fails') ? 1 : 0;
} catch (error) {
  // Whatever concerns one entry is told with it; this is about the file.
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 2;
}
