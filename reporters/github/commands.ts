/**
 * Workflow commands of GitHub Actions: lines of the log that the runner obeys. The forms are those of
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions.
 */
export type Level = 'error' | 'warning' | 'notice';

export interface Annotation {
  readonly level: Level;
  readonly title: string;
  readonly message: string;
  /** From the root of the repository; undefined where there is none. */
  readonly file: string | undefined;
}

/** Readers of annotations cut longer ones, or refuse them. */
const TITLE_LIMIT = 255;
const MESSAGE_LIMIT = 4_000;

export function annotationLine({ level, title, message, file }: Annotation): string {
  const properties = [
    ...(file === undefined ? [] : [`file=${property(file)}`, 'line=1']),
    `title=${property(cut(title, TITLE_LIMIT))}`,
  ];
  return `::${level} ${properties.join(',')}::${data(cut(message, MESSAGE_LIMIT))}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function cut(text: string, limit: number): string {
  const characters = [...text];
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join('')}…`;
}
