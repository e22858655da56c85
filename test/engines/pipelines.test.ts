import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { blocksOf, ROOT } from '../docs/blocks.ts';
import { environment, hasPython } from './environment.ts';

const SCHEMAS = {
  github: 'vendor.github-workflows',
  gitlab: 'vendor.gitlab-ci',
  action: 'vendor.github-actions',
};

/** The YAML that the guide to CI gives people to copy, held against the schemas of GitHub and GitLab. */
describe.skipIf(!hasPython())('docs/guides/ci.md', () => {
  let folder: string;
  let tool: string;
  beforeAll(async () => {
    const python = await environment('pipelines', join(import.meta.dirname, 'pipelines', 'requirements.txt'));
    tool = join(dirname(python), 'check-jsonschema');
    folder = await mkdtemp(join(tmpdir(), 'scd2check-pipelines-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Fails with what the tool says. */
  const valid = (kind: keyof typeof SCHEMAS, file: string) =>
    promisify(execFile)(tool, ['--builtin-schema', SCHEMAS[kind], file]);

  const blocks = blocksOf('docs/guides/ci.md', 'pipeline');
  test.each(blocks.map((block) => [`line ${block.line}: ${block.marker}`, block] as const))(
    '%s',
    async (_, { marker, text }) => {
      const [kind, part] = marker.split(' ') as [keyof typeof SCHEMAS, string?];
      const file = join(folder, 'pipeline.yml');
      const indented = text.replace(/^(?=.)/gm, '      ');
      const job = `name: scd2\non: push\njobs:\n  check:\n    runs-on: ubuntu-latest\n    steps:\n`;
      await writeFile(file, part === 'steps' ? job + indented : text);
      await valid(kind, file);
    },
  );

  test('action.yml', () => valid('action', join(ROOT, 'action.yml')));
});
