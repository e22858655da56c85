import { join } from 'node:path';
import { type Entry, readEntries } from './entry.ts';
import { examine, type Outcome } from './examine.ts';
import { printLine, printSummary } from './print.ts';

/*
 * `npm run defects [-- <file.jsonl>]`: wrong SCD2 dimensions that people reported. For each, both oracles must call for the right
 * dimension, and the checks must notice the wrong one. Exit 0 exactly if that holds of every entry that can be expressed.
 */

const path = process.argv[2] ?? join(import.meta.dirname, 'reported.jsonl');
const entries: readonly Entry[] = await readEntries(path);
const outcomes: readonly Outcome[] = await examine(entries);
for (const outcome of outcomes) process.stdout.write(printLine(outcome));
process.stdout.write(printSummary(outcomes));
process.exitCode = outcomes.every(({ status }) => status === 'holds' || status === 'unexpressed') ? 0 : 1;
