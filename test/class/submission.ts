/** A made-up submission of the class, and what has to become of it. */
export interface MadeUp {
  readonly id: string;
  readonly kind: 'right' | 'wrong' | 'not gradable' | 'hostile';
  /** Files by their paths in the submission. A single one is handed in as a file, several as a folder. */
  readonly files: Readonly<Record<string, string>>;
  /** What it tries, in a few words; of hostile ones. */
  readonly tries?: string;
  /** Its score of 70, or null where it must not be gradable. */
  readonly score: number | null;
  /** What must be read in what is said of it: of hostile ones, what they got. */
  readonly says?: RegExp;
}

/** Where the class is graded: what hostile submissions are told, so that they need not look for it. */
export interface Place {
  /** The folder that grades are written to. */
  readonly results: string;
  /** A file with a secret beside it. */
  readonly secret: string;
  /** A port on which something listens. */
  readonly port: number;
}
