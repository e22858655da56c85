import type { Outcome } from '../implementation.ts';
import type { Statement } from '../sql/statements.ts';

/** An error that a statement of the user's script raised. */
export class StatementError extends Error {
  override readonly name = 'StatementError';
  /** What DuckDB says, on one line, without the excerpt that it draws. */
  readonly reason: string;
  /** Line in the file. */
  readonly line: number;

  constructor(error: unknown, statement: Statement) {
    const { text, line } = splitMessage(messageOf(error));
    const reason = joinLines(text);
    const lineInFile = line === null ? statement.line : statement.firstLine + line - 1;
    super(`${reason} (line ${lineInFile})`);
    this.reason = reason;
    this.line = lineInFile;
  }
}

/** What an error says, as part of a sentence. */
export function oneLine(error: unknown): string {
  return error instanceof StatementError ? error.message : joinLines(splitMessage(messageOf(error)).text);
}

/** DuckDB itself failed; after that it refuses everything, in every session of its instance. */
export function isFatal(error: StatementError): boolean {
  return /^(FATAL|INTERNAL) Error|has been invalidated/.test(error.reason);
}

/** A script refuses a batch with `error('rejected: …')`; whatever else it raises is an error. */
export function outcomeOf(error: StatementError): Outcome {
  const raised = /^Invalid Input Error: (rejected\b.*)$/is.exec(error.reason);
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

/** DuckDB ends some messages with `LINE 3: SELEC 1` and a caret; the line counts from the start of what was run. */
function splitMessage(message: string): { text: string; line: number | null } {
  const text = message.replace(/^Failed to extract statements: /, '');
  const match = /\n\s*LINE (\d+): .*$/s.exec(text);
  return match === null ? { text, line: null } : { text: text.slice(0, match.index), line: Number(match[1]) };
}
