import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../cli/version.ts';
import type { ContractConfig } from '../config/config.ts';

/** What a project begins with. */
export interface Beginning {
  readonly kind: keyof typeof KINDS;
  readonly contract: ContractConfig;
  readonly ci: keyof typeof CIS;
}

/** The starter of each kind: the example that holds the whole `strict` contract. */
export const KINDS = {
  sql: { words: 'a SQL script, in DuckDB', file: 'dim_customer.sql', from: 'observation-log.sql' },
  typescript: { words: 'a TypeScript module', file: 'dim_customer.ts', from: 'observation-log.ts' },
  python: { words: 'a Python file', file: 'dim_customer.py', from: 'observation-log.py' },
} as const;

export const CIS = {
  github: { words: 'GitHub Actions', file: '.github/workflows/scd2check.yml' },
  gitlab: { words: 'GitLab', file: '.gitlab-ci.yml' },
  none: { words: 'none', file: null },
} as const;

/** The files of a beginning, by their paths from its folder. */
export function filesOf({ kind, contract, ci }: Beginning, version: string): ReadonlyMap<string, string> {
  const { file, from } = KINDS[kind];
  const files = new Map([
    [file, readFileSync(join(packageRoot(), 'examples', from), 'utf8')],
    ['scd2check.config.json', `${JSON.stringify({ implementations: [file], contract }, null, 2)}\n`],
  ]);
  const workflow = CIS[ci].file;
  if (workflow !== null) files.set(workflow, ci === 'github' ? githubWorkflow(version) : gitlabJob(version));
  return files;
}

/** The minor version: until 1.0 it says what may change. */
function packageWithVersion(version: string): string {
  return `scd2check@${version.split('.').slice(0, 2).join('.')}`;
}

function githubWorkflow(version: string): string {
  return `name: scd2check
on: [push, pull_request]
permissions:
  contents: read
jobs:
  scd2check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 20
      - run: npx --yes ${packageWithVersion(version)} --reporter terminal --reporter html:scd2check.html
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: scd2check
          path: scd2check.html
`;
}

function gitlabJob(version: string): string {
  return `scd2check:
  image: node:20
  script:
    - npx --yes ${packageWithVersion(version)} --reporter terminal --reporter junit:scd2check.xml --reporter html:scd2check.html
  artifacts:
    when: always
    paths:
      - scd2check.html
    reports:
      junit: scd2check.xml
`;
}
