import type { Table } from 'apache-arrow';
import { batchColumns } from '../contract/columns.ts';
import type { Contract } from '../contract/contract.ts';
import { guessRoles } from '../contract/guess.ts';
import { besideColumns, hasVersions } from '../contract/types.ts';
import { quoteNames } from './command/quote.ts';
import { sampleBatches } from './doctor/sample.ts';
import { type Batch, ImplementationFailure, type Session, type Setup } from './implementation.ts';
import type { OpenedImplementation } from './opened.ts';

export interface Diagnosis {
  readonly ok: boolean;
  readonly lines: readonly DiagnosisLine[];
}

/** One thing that was tried: that it works, or what is wrong with it and what to do. */
export interface DiagnosisLine {
  readonly ok: boolean;
  readonly text: string;
}

/**
 * Tries an adapter with three tiny loads: does it come up, answer, keep rows, give them back in columns that can be
 * judged, and begin anew when asked to? It does not judge the versions themselves. It stops where nothing more can
 * be learnt, and does not close `opened`.
 */
export async function doctor(opened: OpenedImplementation, contract: Contract): Promise<Diagnosis> {
  const lines: DiagnosisLine[] = [];
  const note = (ok: boolean, text: string) => lines.push({ ok, text });
  note(true, `\`${opened.name}\` came up, as a ${KINDS[opened.kind]}.`);
  try {
    await examine(opened, contract, note);
  } catch (failure) {
    if (!(failure instanceof ImplementationFailure)) throw failure;
    note(false, failure.message);
  }
  return { ok: lines.every(({ ok }) => ok), lines };
}

const KINDS = {
  function: 'function',
  sql: 'SQL script',
  command: 'command',
  python: 'Python file',
  dbt: 'dbt snapshot',
} as const;

type Note = (ok: boolean, text: string) => void;

async function examine(opened: OpenedImplementation, contract: Contract, note: Note): Promise<void> {
  const setup: Setup = {
    contract,
    batchColumns: batchColumns(contract.columns, contract.firstStart),
    dimension: null,
    feedId: 'doctor',
  };
  const session = await opened.start(setup);
  note(true, 'A session starts.');
  const { first, change, empty } = sampleBatches(setup);
  try {
    if (!(await applies(session, first, 'a first load of two rows', note))) return;
    if (!examineTable(await session.read(), contract, note)) return;
    if (!(await applies(session, change, 'a second load, in which one row has changed', note))) return;
    await takesEmpty(session, empty, contract, note);
    const { numRows } = await session.read();
    note(true, `After three loads \`read\` gives ${count(numRows, 'row')}.`);
  } finally {
    await session.close();
  }
  await startsAnew(opened, setup, note);
}

async function applies(session: Session, batch: Batch, what: string, note: Note): Promise<boolean> {
  const outcome = await session.apply(batch);
  if (outcome.status === 'applied') {
    note(true, `It applies ${what}.`);
    return true;
  }
  const did = outcome.status === 'rejected' ? 'refused' : 'raised an error at';
  note(
    false,
    `It ${did} ${what}: ${outcome.reason}. Nothing about this load is unusual, so nothing else could be tested. If its columns are not the ones that it was sent, declare them.`,
  );
  return false;
}

async function takesEmpty(session: Session, batch: Batch, contract: Contract, note: Note): Promise<void> {
  const outcome = await session.apply(batch);
  if (outcome.status === 'applied') return note(true, 'It applies an empty load.');
  if (contract.emptySnapshot === 'reject')
    return note(true, 'It refuses an empty load, as its contract says.');
  note(
    false,
    `It did not take an empty load: ${outcome.reason}. An extract can be empty; if refusing it is intended, declare \`emptySnapshot: reject\`.`,
  );
}

/** Whether there is something that can be judged: rows, with the columns that the contract needs. */
function examineTable(table: Table, contract: Contract, note: Note): boolean {
  if (table.numRows === 0) {
    note(
      false,
      '`read` gives no rows after a load that was applied, so nothing was kept. Give back every row of the dimension, the closed ones too.',
    );
    return false;
  }
  const names = table.schema.fields.map(({ name }) => name);
  const { contract: guessed, notes } = guessRoles(contract, new Set(), names);
  const { key, tracked, untracked, validFrom, inHistory } = guessed.columns;
  const filled = [...key, ...tracked, ...untracked, ...(hasVersions(guessed) ? [validFrom] : [])];
  const named = [...besideColumns(guessed), ...(inHistory === null ? [] : [inHistory])];
  const missing = [
    ...filled.filter(({ name }) => !names.includes(name) || isAllNull(table, name)),
    ...named.filter(({ name }) => !names.includes(name)),
  ];
  if (missing.length > 0) {
    note(
      false,
      `Every row has to hold ${quoteNames(missing.map(({ name }) => name))}, and none does (missing, or NULL, where every row that was sent had a value). The rows have ${quoteNames(names)}. Without it versions cannot be compared: give it back, or declare the name it has.`,
    );
    return false;
  }
  note(true, `\`read\` gives ${count(table.numRows, 'row')} with the columns ${quoteNames(names)}.`);
  for (const sentence of notes) note(true, sentence);
  return true;
}

function isAllNull(table: Table, name: string): boolean {
  return table.getChild(name)?.nullCount === table.numRows;
}

async function startsAnew(opened: OpenedImplementation, setup: Setup, note: Note): Promise<void> {
  const session = await opened.start(setup);
  try {
    const { numRows } = await session.read();
    note(
      numRows === 0,
      numRows === 0
        ? 'A second session starts empty.'
        : `A second session starts with ${count(numRows, 'row')} of the first. Every session has to start with an empty dimension, or the feeds of a run get mixed: drop what the last one left behind.`,
    );
  } finally {
    await session.close();
  }
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
