/** Puts a meaning into text, by colour or not at all. It never changes the text's width. */
export type Paint = (text: string) => string;

/** The meanings that reports distinguish. None is told by colour alone: a word or a sign always stands beside it. */
export interface Style {
  readonly good: Paint;
  readonly bad: Paint;
  readonly warn: Paint;
  readonly dim: Paint;
  readonly strong: Paint;
}

const same: Paint = (text) => text;

/** No colours. */
export const PLAIN: Style = { good: same, bad: same, warn: same, dim: same, strong: same };
