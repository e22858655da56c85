import type { Database } from '../duckdb/connection.ts';

export interface AuditProgress {
  part(name: string): void;
  clear(): void;
}

const EVERY_MS = 250;

/** What an audit is at, on one line of standard error, where that is a terminal. */
export async function showProgress(db: Database, quiet: boolean): Promise<AuditProgress> {
  if (process.stderr.isTTY !== true || quiet) return { part: () => undefined, clear: () => undefined };
  let name = '';
  let began = performance.now();
  await db.run('SET enable_progress_bar = true; SET enable_progress_bar_print = false');
  const draw = () =>
    process.stderr.write(`\r\x1b[2K${progressLine(name, db.progress, performance.now() - began)}`);
  const timer = setInterval(draw, EVERY_MS);
  return {
    part: (next) => {
      name = next;
      began = performance.now();
    },
    clear: () => {
      clearInterval(timer);
      process.stderr.write('\r\x1b[2K');
    },
  };
}

/** `screen: 42 % · 8,100,000 rows a second · 7 s left`. */
export function progressLine(
  part: string,
  { percentage, rows }: { readonly percentage: number; readonly rows: number },
  elapsedMs: number,
): string {
  if (percentage <= 0 || elapsedMs < EVERY_MS) return part;
  const perSecond = Math.round(rows / (elapsedMs / 1000));
  const left = Math.ceil((elapsedMs * (100 - percentage)) / percentage / 1000);
  const speed = perSecond > 0 ? ` · ${perSecond.toLocaleString('en')} rows a second` : '';
  return `${part}: ${Math.floor(percentage)} %${speed} · ${left} s left`;
}
