import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CASES } from '../../cases/index.ts';
import { ALL_CHECKS, CHECKS } from '../checks/index.ts';
import { packageRoot } from '../cli/version.ts';
import { CASE_FILES } from './case-page.ts';
import { CHECK_NOTES } from './check-notes.ts';
import { checkPages } from './check-pages.ts';
import { STRICT_CONTRACT, variations } from './dependence.ts';
import { generatedPages } from './pages.ts';
import { RELATIONS } from './relations.ts';

const ROOT = packageRoot();
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('the generated pages', () => {
  test.each([...generatedPages()])('%s is fresh (`npm run docs` makes it)', (path, text) => {
    expect(read(path)).toBe(text);
  });

  test('there is a page for each check, and no other', () => {
    expect(readdirSync(join(ROOT, 'docs/checks')).sort()).toEqual([...checkPages().keys()].sort());
  });

  test('every case stands under the heading of its file', () => {
    expect(CASE_FILES.flatMap(([, , cases]) => cases.map(({ id }) => id))).toEqual(CASES.map(({ id }) => id));
  });

  test('links from page to page lead somewhere', () => {
    for (const [path, text] of generatedPages()) {
      for (const [, target] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
        expect(existsSync(join(ROOT, path, '..', target!)), `${path} → ${target}`).toBe(true);
      }
    }
  });
});

describe('what pages say of checks', () => {
  test.each(ALL_CHECKS.map((check) => [check.id, check] as const))(
    '%s has samples of its message',
    (id, check) => {
      const note = CHECK_NOTES[id];
      expect(note, `add an entry to src/docs/check-notes.ts`).toBeDefined();
      expect(note!.samples.length).toBeGreaterThan(0);
      for (const found of note!.samples) expect(check.message(found)).not.toMatch(/undefined|NaN|null/);
    },
  );

  test('no note is left of a check that is gone', () => {
    expect(Object.keys(CHECK_NOTES).sort()).toEqual(ALL_CHECKS.map(({ id }) => id).sort());
  });

  test('every relation that a query reads is described, and no other', () => {
    const contracts = [STRICT_CONTRACT, ...variations().map(({ contract }) => contract)];
    const queries = CHECKS.flatMap((check) =>
      contracts.flatMap((contract) => [
        check.violations({ contract, oracle: true }),
        check.exercised({ contract, oracle: true }),
      ]),
    );
    const used = new Set(queries.flatMap(relationsOf));
    expect([...used].sort()).toEqual(RELATIONS.map(({ name }) => name).sort());
  });
});

/** Names after FROM and JOIN that the query does not define itself. */
function relationsOf(sql: string): string[] {
  const own = [...sql.matchAll(/\b(\w+) AS \(/g)].map(([, name]) => name);
  return [...sql.matchAll(/(?<!DISTINCT )\b(?:FROM|JOIN) ([a-z_]+)/g)]
    .map(([, name]) => name!)
    .filter((name) => !own.includes(name));
}
