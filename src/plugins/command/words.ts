/** Sentences that failures of both forms of a command have in common. */

export const OWN_STDOUT =
  'Standard output belongs to the protocol: one answer for each request. Send prints and logs to standard error.';

export const SILENCE =
  'Answer each request with one line, end it with a newline, and flush standard output after it. If it needs more time, allow it with `--timeout`.';

export const STUCK =
  'Look for a loop or a wait that never ends, or an answer that was not flushed; if it is only slow, allow more with `--timeout`.';

export const PRINT_STATE =
  'Print the whole new state on standard output, as a JSON array of row objects (an empty one is `[]`), and exit with code 0; send logs to standard error.';

/** What usually is the matter with a text that is no JSON, or what to do about it otherwise. */
export function notJson(text: string, otherwise: string): string {
  if (/[:[,]\s*-?(NaN|Infinity)\b/.test(text)) {
    return 'JSON has no NaN and no Infinity: send them as text, `"NaN"` and `"Infinity"`.';
  }
  if (/^\s*\[?\s*\{\s*'/.test(text)) return 'JSON has double quotes: print it with a JSON library.';
  return otherwise;
}

export function seconds(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}

export function mebibytes(bytes: number): string {
  return `${Math.round(bytes / (1024 * 1024))} MiB`;
}
