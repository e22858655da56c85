import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Gradebook } from '../../src/grade/gradebook.ts';
import { start } from './bin.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const RIGHT = readFileSync(join(ROOT, 'examples/observation-log.sql'), 'utf8');
const WRONG = readFileSync(join(ROOT, 'test/broken/hard-delete.sql'), 'utf8');
const MODULE = readFileSync(join(ROOT, 'examples/observation-log.ts'), 'utf8');

let folder: string;
const made: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scd2check-grade-e2e-'));
  made.push(folder);
});
afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true });
});

/** Few histories: what is held here is not how well submissions are tested. */
const FEW = ['--scope', '2', '--histories', '20'];

function put(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function grade(...args: string[]) {
  return start(folder, ['grade', ...args]).ended;
}

function book(path = 'grades/grades.json'): Gradebook {
  return JSON.parse(readFileSync(join(folder, path), 'utf8'));
}

describe('scd2check grade', () => {
  test('grades a class into a table, CSV, JSON and a page for each, and exits with 0 whatever the grades', async () => {
    put({
      'class/ada.sql': RIGHT,
      'class/bob.sql': WRONG,
      'class/eve.sql': 'SELEC 1;',
      'class/fay/load.ts': MODULE,
    });
    const { code, stdout, stderr } = await grade('class', ...FEW);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ada +70\/70/m);
    expect(stdout).toMatch(/^bob +50\/70/m);
    expect(stdout).toMatch(/^eve +not gradable/m);
    expect(stdout).toMatch(/^fay +70\/70/m);
    expect(stdout).toContain('3 submissions graded · 1 not gradable');
    expect(readdirSync(join(folder, 'grades')).sort()).toEqual([
      'ada.html',
      'bob.html',
      'eve.html',
      'fay.html',
      'grades.csv',
      'grades.json',
    ]);
    expect(book().submissions.map(({ score }) => score)).toEqual([70, 50, null, 70]);
    expect(readFileSync(join(folder, 'grades/bob.html'), 'utf8')).toContain('In the dimension');
  }, 200_000);

  test('takes the contract of the teacher, and not the one that a submission writes into its head', async () => {
    put({ 'bob.sql': WRONG.replace(/^(-- .*\n)/, '$1-- scd2check:deletes ignore\n') });
    const { stdout } = await grade('bob.sql', ...FEW);
    expect(stdout).toMatch(/^bob +50\/70/m);
    expect(stdout).toContain('bob.sql:2 declares `deletes`, which does not count here');
  }, 100_000);

  test('grades by the rubric of the configuration, in the form that a platform reads', async () => {
    put({
      'scd2check.config.json': JSON.stringify({
        grade: {
          scope: 2,
          histories: 20,
          rubric: [
            { points: 4, cases: ['segment-change'] },
            { id: 'deletes', title: 'Deletes', points: 6, cases: ['deleted'], visibility: 'hidden' },
          ],
        },
      }),
      'bob.sql': WRONG,
    });
    const { code, stdout } = await grade('bob.sql', '--reporter', 'gradescope:results/results.json');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^bob +4\/10/m);
    const results = JSON.parse(readFileSync(join(folder, 'results/results.json'), 'utf8'));
    expect(results.score).toBe(4);
    expect(results.tests.map(({ visibility }: { visibility: string }) => visibility)).toEqual([
      'visible',
      'hidden',
    ]);
    expect(existsSync(join(folder, 'grades'))).toBe(false);
  }, 100_000);

  test('grades the work of all, alike, and gives the same bytes again', async () => {
    put({ 'class/ada.sql': RIGHT, 'class/bob.sql': WRONG });
    const once = async (path: string) => {
      await grade('class', ...FEW, '--reporter', `json:${path}`);
      return readFileSync(join(folder, path), 'utf8');
    };
    expect(await once('a.json')).toBe(await once('b.json'));
  }, 200_000);

  test('leaves what there is by then where it is interrupted, and says that it is not all', async () => {
    put(Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`class/s${10 + index}.sql`, RIGHT])));
    const running = start(folder, ['grade', 'class', '--threads', '1']);
    const path = join(folder, 'grades/grades.json');
    while (!existsSync(path) || book().submissions.every(({ status }) => status === 'waiting')) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    running.child.kill('SIGINT');
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    expect(stdout).toContain('not complete');
    expect(book().complete).toBe(false);
    expect(book().submissions[0]!.score).toBe(70);
  }, 200_000);

  test.each([
    [[], 'What is to be graded?'],
    [['nothing.sql'], 'There is no `nothing.sql`, so there is nothing to grade.'],
    [['ada.sql', '--reporter', 'gradscope:x.json'], 'Did you mean `gradescope`?'],
    [['ada.sql', '--reporter', 'json:out/'], 'writes one file for the class'],
    [
      ['ada.sql', 'bob.sql', '--reporter', 'gradescope:x.json'],
      'Name a folder: --reporter gradescope:grades/gradescope/',
    ],
    [['ada.sql', '--seed', 'random'], 'all submissions get the same work'],
    [['ada.sql', '--engine', 'postgres://me:secret@host/db'], '`--engine` names a server'],
    [['ada.sql', '--threads', '0'], '`--threads` cannot be `0`'],
  ])('answers %j with one message and 2', async (args, message) => {
    put({ 'ada.sql': RIGHT, 'bob.sql': WRONG });
    const { code, stdout, stderr } = await grade(...args);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect([code, stdout]).toEqual([2, '']);
  });

  test.each([
    [{ rubrik: [] }, '`grade` has no setting `rubrik`'],
    [{ rubric: [{ cases: 'deleted' }] }, "`grade.rubric.0` must have required property 'points'"],
    [{ rubric: [{ points: 1, cases: 'delete' }] }, 'there is no case `delete`. Did you mean `deleted`?'],
    [{ isolation: { memory: '1 stone' } }, 'cannot be `1 stone`. Write a size'],
    [{ isolation: { memory: '10MB' } }, 'nothing would start'],
  ])('answers the configuration %j with one message and 2', async (section, message) => {
    put({ 'scd2check.config.json': JSON.stringify({ grade: section }), 'ada.sql': RIGHT });
    const { code, stderr } = await grade('ada.sql');
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  test('without bubblewrap grades in the weak form and says what is not held; or refuses to, where it is required', async () => {
    put({ 'ada.sql': RIGHT, 'bin/empty': '' });
    const env = { PATH: join(folder, 'bin') };
    const { code, stdout } = await start(folder, ['grade', 'ada.sql', ...FEW], env).ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ada +70\/70/m);
    expect(stdout).toContain('Isolation is weak here: bubblewrap');
    expect(stdout).toContain('network: open');
    put({ 'scd2check.config.json': JSON.stringify({ grade: { isolation: { required: true } } }) });
    const refused = await start(folder, ['grade', 'ada.sql'], env).ended;
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('Nothing was graded, because the configuration requires isolation');
  }, 100_000);
});
