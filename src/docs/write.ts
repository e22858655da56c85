import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../cli/version.ts';
import { generatedPages } from './pages.ts';

/** `npm run docs`: writes the generated pages, and removes those of checks that are gone. */
const root = packageRoot();
const pages = generatedPages();
for (const [path, text] of pages) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
for (const name of readdirSync(join(root, 'docs/checks'))) {
  if (!pages.has(`docs/checks/${name}`)) rmSync(join(root, 'docs/checks', name));
}
console.log(`${pages.size} pages written.`);
