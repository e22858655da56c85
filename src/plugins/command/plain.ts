import type { Table } from 'apache-arrow';
import { dimensionColumns } from '../../contract/columns.ts';
import {
  type Batch,
  type CallLimits,
  type FailureKind,
  ImplementationFailure,
  type Outcome,
  type Session,
  type Setup,
} from '../implementation.ts';
import { AnswerReader } from './answer-rows.ts';
import { printJson, tryParseJson } from './json.ts';
import { describeEnding, type Program } from './program.ts';
import { lastLine, quote, quoteJson } from './quote.ts';
import { type OneRun, runOnce } from './run-once.ts';
import { aroundInvalidUtf8, decodeUtf8 } from './utf8.ts';
import { asOfToWire, rowsToWire, setupToWire, type WireRow } from './wire.ts';
import { mebibytes, notJson, PRINT_STATE, seconds } from './words.ts';

/**
 * The plain form: a program that is started for each batch, reads one JSON object `{asOf, rows, state, key, columns,
 * contract, batch}` (one line, then the end of input), and prints the new state: an array of row objects, or an
 * object with `rows`. The state is null at first, else what it printed last, untouched.
 */
export class PlainSession implements Session {
  readonly #program: Program;
  readonly #name: string;
  readonly #setup: Setup;
  readonly #limits: CallLimits;
  readonly #told: Record<string, unknown>;
  /** Ends a program that is running. */
  readonly #closing: AbortSignal;
  #state: readonly unknown[] | null;
  #stderr = '';
  readonly #reader: AnswerReader;

  constructor(program: Program, name: string, setup: Setup, limits: CallLimits, closing: AbortSignal) {
    this.#closing = closing;
    this.#name = name;
    this.#program = program;
    this.#setup = setup;
    this.#limits = limits;
    this.#told = setupToWire(setup);
    this.#reader = new AnswerReader(setup.contract);
    const { dimension, contract } = setup;
    this.#state = dimension === null ? null : rowsToWire(dimension, dimensionColumns(contract));
  }

  async apply(batch: Batch): Promise<Outcome> {
    const input = plainInput({
      asOf: asOfToWire(batch.asOf, this.#setup.contract),
      rows: rowsToWire(batch.rows, this.#setup.batchColumns),
      state: this.#state,
      told: this.#told,
      batch: batch.index,
    });
    const limits = { limitMs: this.#limits.callMs, longest: LONGEST_STATE };
    const run = await runOnce(this.#program, input, limits, this.#closing);
    this.#stderr = run.stderr;
    if (run.ending.how === 'exit' && run.ending.code !== 0) {
      const last = lastLine(run.stderr);
      return {
        status: 'errored',
        reason: last ?? `exit code ${run.ending.code}, and nothing on its error stream`,
      };
    }
    this.#state = stateOf(run, `\`${this.#name}\` was given batch ${batch.index}`);
    return { status: 'applied' };
  }

  async read(): Promise<Table> {
    return this.#reader.table(this.#state ?? [], `What \`${this.#name}\` printed`, this.#stderr);
  }

  async close(): Promise<void> {
    this.#state = null;
  }
}

interface PlainInput {
  readonly asOf: string;
  readonly rows: readonly WireRow[];
  readonly state: readonly unknown[] | null;
  readonly told: Record<string, unknown>;
  readonly batch: number;
}

/** The one line that a plain program reads. */
export function plainInput({ asOf, rows, state, told, batch }: PlainInput): string {
  return `${printJson({ asOf, rows, state, ...told, batch })}\n`;
}

/**
 * The state that a run printed.
 *
 * @throws ImplementationFailure in the words of the program's author, where it printed none. `what` begins the message: what it was given.
 */
export function stateOf(run: OneRun, what: string): readonly unknown[] {
  const refuse = (kind: FailureKind, story: string): never => {
    throw new ImplementationFailure(kind, `${what} on standard input, and ${story}`, run.stderr);
  };
  const { ending, stdout } = run;
  if (ending.how === 'timeout') {
    return refuse(
      'timeout',
      `it had not ended after ${seconds(ending.limitMs)}${stdout.length === 0 ? '' : `; it wrote ${quote(stdout, 80)}`}. Its input is closed after one line: read to the end, print the state, and exit. If it needs more time, allow it with \`--timeout\`.`,
    );
  }
  if (ending.how === 'too-much') {
    return refuse(
      'protocol',
      `it wrote more than ${mebibytes(ending.limit)}, beginning ${quote(stdout.subarray(0, 60))}… ${PRINT_STATE}`,
    );
  }
  if (ending.how === 'not-started') {
    return refuse('start', `${describeEnding(ending)}.`);
  }
  if (ending.how === 'signal') {
    return refuse('crash', `${describeEnding(ending)}${errorLine(run.stderr)}.`);
  }
  if (ending.how === 'exit' && ending.code !== 0) {
    return refuse('crash', `${describeEnding(ending)}${errorLine(run.stderr)}. ${PRINT_STATE}`);
  }
  const text = decodeUtf8(stdout);
  if (text === null) {
    const { at, near } = aroundInvalidUtf8(stdout);
    return refuse(
      'protocol',
      `it printed bytes that are not UTF-8, from byte ${at}: ${quote(near)}. Write UTF-8, whatever the locale says.`,
    );
  }
  if (text.trim() === '')
    return refuse('protocol', `it ended with exit code 0 and printed nothing. ${PRINT_STATE}`);
  const json = tryParseJson(text);
  if ('error' in json) {
    const todo = notJson(text, PRINT_STATE);
    return refuse('protocol', `it printed ${quote(text)}, which is not JSON (${json.error}). ${todo}`);
  }
  const { value } = json;
  const rows = Array.isArray(value) ? value : (value as { rows?: unknown } | null)?.rows;
  if (!Array.isArray(rows)) return refuse('protocol', `it printed ${quoteJson(value)}. ${PRINT_STATE}`);
  return rows;
}

/** As much as a line of the protocol may hold. */
const LONGEST_STATE = 256 * 1024 * 1024;

function errorLine(stderr: string): string {
  const last = lastLine(stderr);
  return last === null
    ? ', and its error stream is empty'
    : `; its error stream ends with ${quote(last, 300)}`;
}
