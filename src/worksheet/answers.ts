import { readFile } from 'node:fs/promises';
import Papa from 'papaparse';
import type { Case } from '../../cases/case.ts';
import { UsageError } from '../cli/usage-error.ts';
import { suggestion } from '../contract/nearest.ts';
import type { Figures } from './worksheet.ts';

/** A filled worksheet: figures by case; null where the team says that a load is refused. Cases without an answer are not in it. */
export type Answers = ReadonlyMap<string, Figures | null>;

/**
 * Reads a filled worksheet in CSV, with the columns `case`, `versions` and `open`; others are passed over. An answer may be `refused`.
 * @throws UsageError where it cannot be read, or says something that is no answer
 */
export async function readAnswers(path: string, cases: readonly Case[]): Promise<Answers> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new UsageError(`Cannot read the answers \`${path}\`: ${error.message}`);
  });
  return parseAnswers(text, path, cases);
}

export function parseAnswers(text: string, path: string, cases: readonly Case[]): Answers {
  const { data, errors, meta } = Papa.parse<Record<string, string>>(text.replace(/^\uFEFF/, ''), {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (name) => name.trim().toLowerCase(),
    // Spreadsheets of half of Europe write semicolons.
    delimitersToGuess: [',', ';', '\t'],
  });
  const missing = ['case', 'versions', 'open'].find((name) => !(meta.fields ?? []).includes(name));
  if (missing !== undefined)
    throw new UsageError(
      `\`${path}\` has no column \`${missing}\`. \`scd2check worksheet --reporter csv\` prints one to fill in.`,
    );
  const [error] = errors.filter(({ type }) => type === 'Quotes');
  if (error !== undefined)
    throw new UsageError(`\`${path}\` is not CSV: ${error.message} (row ${(error.row ?? 0) + 1})`);
  const ids = cases.map(({ id }) => id);
  const answers = new Map<string, Figures | null>();
  for (const [index, row] of data.entries()) {
    const id = (row['case'] ?? '').trim();
    const [versions, open] = [(row['versions'] ?? '').trim(), (row['open'] ?? '').trim()];
    const where = `\`${path}\`, row ${index + 2}`;
    if (!ids.includes(id))
      throw new UsageError(`${where}: there is no case \`${id}\`.${suggestion(id, ids)}`);
    if (versions === '' && open === '') continue;
    const isRefused = [versions, open].some((answer) => /^refused|rejected$/i.test(answer));
    answers.set(
      id,
      isRefused ? null : { versions: count(versions, 'versions', where), open: count(open, 'open', where) },
    );
  }
  if (answers.size === 0)
    throw new UsageError(`\`${path}\` has no answer in it yet: fill in \`versions\` and \`open\`.`);
  return answers;
}

function count(text: string, name: string, where: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new UsageError(`${where}: \`${name}\` cannot be \`${text}\`. Write a whole number, or \`refused\`.`);
}
