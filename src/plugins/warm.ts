import { existsSync } from 'node:fs';
import { formByName } from './forms.ts';
import { warmHost } from './host/spawn.ts';

/** Starts the process that the one implementation named will run in, if it is clear which that is. */
export function warmUp(targets: readonly string[]): void {
  const [path] = targets;
  if (path === undefined || targets.length > 1 || !existsSync(path)) return;
  const form = formByName(path);
  if (form === 'sql' || form === 'function') warmHost(form);
}
