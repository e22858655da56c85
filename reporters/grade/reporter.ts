import type { Gradebook, Graded } from '../../src/grade/gradebook.ts';

/** How a text of the whole class is shown, where it is read on a terminal. */
export interface ClassOutput {
  readonly width: number;
  readonly color: boolean;
  /** Every submission's failures too. */
  readonly full: boolean;
}

/**
 * A reporter of grades: a function from a gradebook to a text, of the class or of one submission. A submission's text is written when it is graded, the
 * class's anew after each. It decides nothing, and every text in it that a submission could have chosen is hostile.
 */
export type GradeReporter =
  | { readonly of: 'class'; readonly render: (book: Gradebook, output: ClassOutput) => string }
  | {
      readonly of: 'submission';
      /** Ending of a file, where a folder is written. */
      readonly ending: string;
      readonly render: (submission: Graded, book: Gradebook) => string;
    };
