/**
 * Runs what the documentation tells people to run. In README.md and docs/guides/*.md, a comment right above a fenced block says
 * what the block is; blocks without one are not touched:
 *
 *   <!-- test: file customers.py -->     the block is written to that file
 *   <!-- test: run exit=1 -->            its commands are run; the last one ends with that code (0, unless given)
 *   <!-- test: output -->                its lines are printed by the run before, in this order; `…` stands for any text
 *   <!-- test: copy of path/to/file -->  the block is that file of the repository, which is tested elsewhere
 *
 * Blocks of continuous integration are run by package.test.ts; those of dbt, SQLMesh and Spark in test/engines.
 *
 * Each document has an empty folder of its own, in which `examples` is that of the repository.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf, inOrder, ROOT, RUN_BY_TESTS, run } from '../docs/blocks.ts';

const GUIDES = 'docs/guides';

const guides = readdirSync(join(ROOT, GUIDES)).filter((name) => name.endsWith('.md'));
const documents = ['README.md', ...guides.map((name) => `${GUIDES}/${name}`)];

test.each(documents)('%s has blocks that some test runs', (path) => {
  expect(RUN_BY_TESTS.flatMap((word) => blocksOf(path, word))).not.toEqual([]);
});

const here = documents.filter((path) => blocksOf(path, 'test').length > 0);

describe.each(here)('%s', (path) => {
  let folder = '';
  let printed = '';

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'scd2check-docs-'));
    symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  // In their order: a command uses the files above it.
  const named = blocksOf(path, 'test').map(
    (block) => [`line ${block.line}: ${block.marker}`, block] as const,
  );
  // A walk that tries fifteen mistakes takes a minute, and several where other tests run beside it.
  test.each(named)('%s', { timeout: 300_000 }, (_, { marker, text }) => {
    const [, file] = /^file (\S+)$/.exec(marker) ?? [];
    const [, original] = /^copy of (\S+)$/.exec(marker) ?? [];
    const [command, exit = '0'] = /^run(?: exit=(\d+))?$/.exec(marker) ?? [];
    if (file !== undefined) writeFileSync(join(folder, file), text);
    else if (original !== undefined) expect(text).toBe(readFileSync(join(ROOT, original), 'utf8'));
    else if (command !== undefined) printed = run(text, folder, Number(exit));
    else if (marker === 'output') expect(printed).toMatch(inOrder(text));
    else throw new Error(`\`test: ${marker}\` is none of file, copy of, run and output.`);
  });
});
