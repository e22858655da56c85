import type { Report, RunEvent } from '../src/runner/report.ts';

/**
 * A reporter turns what a run found into text. It is a function from its output to handlers; it sees read-only
 * data, and decides nothing. One file (or folder) in `reporters/` is one reporter, named after it. A reporter of your
 * own is a module whose default export is such a function: `--reporter ./mine.ts`.
 */
export type CreateReporter = (output: ReporterOutput) => Reporter;

export interface Reporter {
  /** Called for each event in order, `run-end` last but for `onEnd`. */
  onEvent?(event: RunEvent): void;
  /** Called once, with everything. */
  onEnd?(report: Report): void | Promise<void>;
}

export interface ReporterOutput {
  write(text: string): void;
  /**
   * Writes a file beside the main one, where a folder was asked for (`--reporter html:folder/`); null where one file,
   * or stdout, was. The name is a plain file name.
   */
  readonly writeFile: ((name: string, text: string) => void) | null;
  /** Columns of the terminal; 80 where the output is none. */
  readonly width: number;
  /** Whether colours may be written. */
  readonly color: boolean;
  /** Lift the limits of a short report. */
  readonly full: boolean;
  readonly quiet: boolean;
}
