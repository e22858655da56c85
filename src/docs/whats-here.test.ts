import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../cli/version.ts';

const ROOT = packageRoot();
const MAP = readFileSync(join(ROOT, 'docs/whats-here.md'), 'utf8');

/** Made by tools, or by a run. */
const MADE = ['node_modules', 'dist', '.git', '.scd2check', '.engines', 'coverage'];

function folders(path: string): string[] {
  return (
    readdirSync(join(ROOT, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !MADE.includes(entry.name))
      .map(({ name }) => name)
      // What is empty is in nobody's clone.
      .filter((name) => readdirSync(join(ROOT, path, name)).length > 0)
  );
}

describe('docs/whats-here.md', () => {
  test.each(folders('.'))('has a line for %s/', (name) => {
    expect(MAP).toContain(`\`${name}/\``);
  });

  test.each(folders('src'))('has a line for src/%s/', (name) => {
    expect(MAP).toContain(`\`src/${name}/\``);
  });

  test('says each thing once: no merge was left half done', () => {
    expect(MAP).not.toMatch(/^(<{7}|={7}|>{7})/m);
    const lines = MAP.split('\n').filter((line) => line.startsWith('- '));
    expect(new Set(lines.map((line) => line.slice(0, line.indexOf(':')))).size).toBe(lines.length);
  });

  test('names nothing that is not there', () => {
    for (const [, path] of MAP.matchAll(/^[ -]*- \[?`([^`<*]+)`/gm)) {
      expect(() => readdirOrRead(path!), path).not.toThrow();
    }
  });
});

function readdirOrRead(path: string): unknown {
  const full = join(ROOT, path);
  return path.endsWith('/') ? readdirSync(full) : readFileSync(full);
}
