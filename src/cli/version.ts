import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package's own folder, whether this runs from the sources or compiled. */
export function packageRoot(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const root = join(here, '..', '..');
  return root.endsWith('dist') ? join(root, '..') : root;
}

export function version(): string {
  return (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string })
    .version;
}
