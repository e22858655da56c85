import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { HOST_PARTS, harnessView } from './visible.ts';

const SOURCES = fileURLToPath(new URL('../../', import.meta.url));

/** Every file that a file imports, itself or through others. */
function importsOf(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const [, name] of readFileSync(path, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
    const target = resolve(dirname(path), name!);
    if (existsSync(target)) importsOf(target, seen);
  }
  return seen;
}

describe('what a submission sees of scd2check', () => {
  const needed = [...importsOf(resolve(SOURCES, 'plugins/host/main.ts'))].map((path) =>
    relative(SOURCES, path),
  );

  test('is enough for the host that it runs in', () => {
    expect(needed.length).toBeGreaterThan(40);
    for (const path of needed) {
      // Types are gone when it runs.
      if (path.startsWith('feed/') || path.startsWith('runner/')) continue;
      expect(
        HOST_PARTS.some((part) => path === `${part}.ts` || path.startsWith(`${part}/`)),
        path,
      ).toBe(true);
    }
  });

  test('has no answer in it', () => {
    for (const part of HOST_PARTS)
      expect(part).not.toMatch(/oracle|checks|cases|runner|worksheet|search|grade/);
    const { root, parts } = harnessView();
    for (const folder of [
      'src/oracle',
      'dist/src/oracle',
      'cases',
      'dist/cases',
      'examples',
      'test',
      'docs',
      'src/checks',
    ])
      expect(
        parts.some((part) => `${root}/${folder}`.startsWith(part)),
        folder,
      ).toBe(false);
  });
});
