import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BIN = join(ROOT, 'bin', 'scd2check.js');

/** A fenced block with a comment right above it, `<!-- word: marker -->`. */
export interface Block {
  readonly line: number;
  /** What follows the word in the comment. */
  readonly marker: string;
  readonly text: string;
}

/** Who runs a block: `test` is test/e2e/docs.test.ts, the others name tests elsewhere. */
export const RUN_BY_TESTS = ['test', 'pipeline', 'dbt', 'sqlmesh', 'spark', 'package'] as const;

/** The marked blocks of a document that one of the tests runs. */
export function blocksOf(path: string, word: (typeof RUN_BY_TESTS)[number]): readonly Block[] {
  const document = readFileSync(join(ROOT, path), 'utf8');
  const marked = new RegExp(`^<!-- ${word}: (.+?) -->\\n(?:\`\`\`[^\\n]*\\n(.*?)^\`\`\`$)?`, 'gms');
  return [...document.matchAll(marked)].map(({ index, 1: marker, 2: text }) => {
    const line = document.slice(0, index).split('\n').length;
    if (text === undefined) throw new Error(`${path}:${line}: no fenced block follows this comment.`);
    return { line, marker: marker!, text };
  });
}

/** What the commands print. `npx scd2check` is the bin that was built here. */
export function run(
  commands: string,
  cwd: string,
  exitCode: number,
  env: NodeJS.ProcessEnv = process.env,
): string {
  const npx = `npx() { shift; "${process.execPath}" "${BIN}" "$@"; }`;
  const script = `set -e\n${npx}\n${commands}`;
  const ended = spawnSync('bash', ['-c', script], { cwd, encoding: 'utf8', timeout: 240_000, env });
  const printed = ended.stdout + ended.stderr;
  expect(ended.status, printed).toBe(exitCode);
  return printed;
}

/** Lines that have to be printed in this order; `…` stands for any text. */
export function inOrder(lines: string): RegExp {
  const patterns = lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.trimEnd().split('…').map(literally).join('.*'));
  return new RegExp(patterns.join('[^]*'));
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
