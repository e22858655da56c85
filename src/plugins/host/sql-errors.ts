import type { Outcome } from '../implementation.ts';
import type { Statement } from '../sql/statements.ts';
import { EngineError } from './engines/engine.ts';

/** An error that a statement of the user's script raised. */
export class StatementError extends Error {
  override readonly name = 'StatementError';
  /** What the engine says, on one line, without the excerpt that it draws. */
  readonly reason: string;
  /** Line in the file. */
  readonly line: number;
  readonly kind: EngineError['kind'];

  constructor(error: unknown, statement: Statement) {
    const line = error instanceof EngineError ? error.line : null;
    const reason = joinLines(messageOf(error));
    const lineInFile = line === null ? statement.line : statement.firstLine + line - 1;
    super(`${reason} (line ${lineInFile})`);
    this.reason = reason;
    this.line = lineInFile;
    this.kind = error instanceof EngineError ? error.kind : 'statement';
  }
}

/** What an error says, as part of a sentence. */
export function oneLine(error: unknown): string {
  return error instanceof StatementError ? error.message : joinLines(messageOf(error));
}

/** As DuckDB, Spark and the others wrap what a script raises. */
const REJECTED =
  /^(?:Invalid Input Error: |\[USER_RAISED_EXCEPTION\] )?(rejected\b.*?)(?: SQLSTATE: \w+)?$/is;

/** A script refuses a batch with an error whose text begins with `rejected`; whatever else it raises is an error. */
export function outcomeOf(error: StatementError): Outcome {
  const raised = REJECTED.exec(error.reason);
  return raised === null
    ? { status: 'errored', reason: error.message }
    : { status: 'rejected', reason: raised[1]! };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function joinLines(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim();
}
