import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf, inOrder, run } from '../docs/blocks.ts';
import { environment, hasPython } from './environment.ts';

/** docs/guides/dbt.md word for word: each tool in a Python of its own, activated as people do. */
describe.skipIf(!hasPython()).each(['dbt', 'sqlmesh'] as const)('the guide to %s', (tool) => {
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let printed = '';

  beforeAll(async () => {
    const python = await environment(tool, join(import.meta.dirname, tool, 'requirements.txt'));
    folder = mkdtempSync(join(tmpdir(), 'scd2check-guide-'));
    const path = `${dirname(python)}${delimiter}${process.env['PATH']}`;
    env = { ...process.env, PATH: path, SCD2CHECK_PYTHON: '', NO_COLOR: '1' };
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(
    blocksOf('docs/guides/dbt.md', tool).map(
      (block) => [`line ${block.line}: ${block.marker}`, block] as const,
    ),
  )('%s', (_, { marker, text }) => {
    const [, file] = /^file (\S+)$/.exec(marker) ?? [];
    const [command, exit = '0'] = /^run(?: exit=(\d+))?$/.exec(marker) ?? [];
    if (file !== undefined) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    } else if (command !== undefined) printed = run(text, folder, Number(exit), env);
    else expect(printed).toMatch(inOrder(text));
  });
});
