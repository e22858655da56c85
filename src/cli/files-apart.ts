import { extname } from 'node:path';

/**
 * A word for each of several implementations, by which the files of their reports differ: its path without the ending, `models-dim_customer`.
 * Two that come to the same word are numbered.
 */
export function wordsApart(paths: readonly string[]): readonly string[] {
  const words = paths.map(
    (path) =>
      path
        .slice(0, path.length - extname(path).length)
        .replace(/[^\p{L}\p{N}_]+/gu, '-')
        .replace(/^-|-$/g, '') || 'implementation',
  );
  return words.map((word, index) => {
    const before = words.slice(0, index).filter((other) => other === word).length;
    return before === 0 ? word : `${word}-${before + 1}`;
  });
}

/** The file of one of them: `report.xml` is `report-<word>.xml`, and `pages/` is `pages/<word>/`. */
export function fileApart(file: string, word: string): string {
  if (file.endsWith('/')) return `${file}${word}/`;
  const extension = extname(file);
  return `${file.slice(0, file.length - extension.length)}-${word}${extension}`;
}
