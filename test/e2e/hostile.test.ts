import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leftOvers, scd2check, unwrapped } from './bin.ts';

/**
 * Implementations that hang, crash, lie and overflow (`test/fixtures/hostile`). Whatever they do, a run ends soon, judges
 * nothing, leaves nothing behind, and says what happened, where, and what to do.
 */
let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'scd2check-hostile-')));
  await cp(join(import.meta.dirname, '..', 'fixtures', 'hostile'), folder, { recursive: true });
  // Formatters refuse to have these two in the repository.
  await writeFile(
    join(folder, 'syntax-error.mjs'),
    'export default (state, rows) => {\n  return rows.map((row => row;\n};\n',
  );
  await writeFile(join(folder, 'syntax-error.ts'), 'export default (rows: object[) => rows;\n');
  await writeFile(join(folder, 'results.csv'), 'the grades of forty students\n');
});
afterAll(() => rm(folder, { recursive: true }));

interface Hostile {
  readonly what: string;
  readonly args: readonly string[];
  readonly code: 2 | 3;
  /** What a stranger needs to read: what happened, in which file, what to do. */
  readonly words: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** True where the time limit has to end something. All others end by themselves, and get time to start on a busy machine. */
  readonly hangs?: true;
}

const HOSTILE: readonly Hostile[] = [
  {
    what: 'a function that never returns',
    args: ['./endless-loop.mjs'],
    hangs: true,
    code: 3,
    words: ['endless-loop.mjs did not finish apply of batch 1 within 3 s', 'Look for a loop', '--timeout'],
  },
  {
    what: 'a recursive query without an end',
    args: ['./endless-recursion.sql'],
    hangs: true,
    code: 3,
    words: [
      'endless-recursion.sql did not finish apply of batch 1 within 3 s',
      'Look for a loop',
      '--timeout',
    ],
  },
  {
    what: 'a Python function that never returns',
    args: ['./endless_loop.py'],
    hangs: true,
    code: 3,
    words: ['`endless_loop.py` was sent `apply`', 'no answer within 3 s', 'Look for a loop', '--timeout'],
  },
  {
    what: 'a function that answers after the time limit',
    args: ['./answers-late.mjs'],
    hangs: true,
    code: 3,
    words: [
      'answers-late.mjs did not finish apply of batch 1 within 3 s',
      'if it is only slow, allow more with --timeout',
    ],
  },
  {
    what: 'a function that ends the process',
    args: ['./exits.mjs'],
    code: 3,
    words: [
      'exits.mjs ended with code 0 in the middle of apply of batch 1',
      'process.exit',
      'must return instead',
    ],
  },
  {
    what: 'an exception in every third batch',
    args: ['./third-batch.mjs'],
    code: 3,
    words: ['third-batch.mjs', 'raised an error on batch 3', 'connection pool exhausted (line 7)'],
  },
  {
    what: 'a module that fills the memory',
    args: ['./fills-memory.mjs'],
    code: 3,
    words: [
      'fills-memory.mjs was ended by SIGKILL',
      'too much memory (it may hold 0.5 GiB)',
      'grows without end',
    ],
    env: { SCD2CHECK_MEMORY_GIB: '0.5' },
  },
  {
    what: 'a command that prints its log where the answers belong',
    args: ['--', 'node', 'rubbish.mjs'],
    code: 3,
    words: ['`node rubbish.mjs`', 'INFO starting load', 'is not JSON', 'send logs to standard error'],
  },
  {
    what: 'a command that gives back wrong ids',
    args: ['--', 'node', 'wrong-ids.mjs'],
    code: 3,
    words: ['`node wrong-ids.mjs` was sent `start`', 'with the id', "Give the request's id back unchanged"],
  },
  {
    what: 'a command whose output is not UTF-8',
    args: ['--', 'node', 'not-utf8.mjs'],
    hangs: true,
    code: 3,
    words: ['`node not-utf8.mjs`', 'not UTF-8, from byte 19', '\\xfcrich', 'Write UTF-8'],
  },
  {
    what: 'a command that writes 200 MB',
    args: ['--', 'node', 'two-hundred-megabytes.mjs'],
    code: 3,
    words: ['`node two-hundred-megabytes.mjs`', 'more than 64 MiB on one line', 'end it with a newline'],
  },
  {
    what: 'a function that prints 200 MB and returns nothing',
    args: ['./prints-two-hundred-megabytes.mjs'],
    code: 3,
    words: ['prints-two-hundred-megabytes.mjs, batch 1: apply returned undefined', 'xxxx… (65'],
  },
  {
    what: 'a function that returns undefined',
    args: ['./returns-undefined.mjs'],
    code: 3,
    words: [
      'returns-undefined.mjs, batch 1: apply returned undefined',
      'an array of row objects or an Arrow table',
    ],
  },
  {
    what: 'rows without a key',
    args: ['./no-key.mjs'],
    code: 3,
    words: [
      'no-key.mjs, batch 1: row 0 of the state has no column "customer_id"',
      'declare it in the contract',
    ],
  },
  {
    what: 'rows without a start',
    args: ['./no-start.mjs'],
    code: 3,
    words: [
      'no-start.mjs, batch 1: row 0 of the state has no column "valid_from"',
      'declare it in the contract',
    ],
  },
  {
    what: 'a table without a start',
    args: ['./no-start.sql'],
    code: 3,
    words: ['no-start.sql', 'no column `valid_from`', 'it has `customer_id`', 'Declare which columns it has'],
  },
  {
    what: 'an end that is the text "tomorrow"',
    args: ['./ends-tomorrow.mjs'],
    code: 3,
    words: ['ends-tomorrow.mjs, batch 1', 'column "valid_to": "tomorrow"', 'Expected ISO text'],
  },
  {
    what: 'a table whose end is the text "tomorrow"',
    args: ['./ends-tomorrow.sql'],
    code: 3,
    words: ['ends-tomorrow.sql', '`valid_to` holds `tomorrow`', 'not an instant', 'Return it in that form'],
  },
  {
    what: 'a script with a syntax error',
    args: ['./syntax-error.sql'],
    code: 3,
    words: ['syntax-error.sql:3 is no SQL that DuckDB understands', 'syntax error at or near "WERE"'],
  },
  {
    what: 'a module with a syntax error',
    args: ['./syntax-error.mjs'],
    code: 3,
    words: ['syntax-error.mjs could not be loaded'],
  },
  {
    what: 'a TypeScript module with a syntax error',
    args: ['./syntax-error.ts'],
    code: 3,
    words: ['syntax-error.ts could not be loaded'],
  },
  {
    what: 'a Python file with a syntax error',
    args: ['./syntax_error.py'],
    code: 3,
    words: ['syntax_error.py', 'line 1', "SyntaxError: expected ':'"],
  },
  {
    what: 'an empty script',
    args: ['./empty.sql'],
    code: 3,
    words: ['empty.sql has no statement to run for a batch', 'Write the load'],
  },
  {
    what: 'a module that exports nothing',
    args: ['./exports-nothing.mjs'],
    code: 3,
    words: ['exports-nothing.mjs exports nothing', 'Export as default a function apply(state, rows'],
  },
  {
    what: 'a Python file in which nothing is recognised',
    args: ['./nothing_recognisable.py'],
    code: 3,
    words: [
      'nothing_recognisable.py',
      'a function `apply_scd2(state, rows, keys, as_of=...)`',
      '`load_customers(path, when, dry_run)`',
    ],
  },
  {
    what: 'a file that is not there',
    args: ['./endless-lop.mjs'],
    code: 2,
    words: ['There is no ./endless-lop.mjs', 'Did you mean endless-loop.mjs?'],
  },
  {
    what: 'a clock that cannot be moved as finely as the contract says',
    args: ['./endless-loop.mjs', '--set', 'clock=moved'],
    code: 2,
    words: ['The contract of endless-loop.mjs says `clock: moved`', 'shows milliseconds', '`clock: wall`'],
  },
  {
    what: 'a folder without an implementation',
    args: ['./folder-of-notes'],
    code: 2,
    words: ['./folder-of-notes is a folder without an implementation', 'Name the file, or a command'],
  },
  {
    what: 'a script that writes over a file, in the sandbox',
    args: ['./overwrites-a-file.sql', '--sandbox'],
    code: 3,
    words: [
      'overwrites-a-file.sql',
      'Cannot access file "results.csv"',
      'raised an error on batch 1',
      '(line 1)',
    ],
  },
];

describe('the run ends, judges nothing and explains', () => {
  test.each(HOSTILE)('$what', async ({ args, code, words, env, hangs }) => {
    const ended = await scd2check(folder, ['--timeout', hangs ? '3s' : '12s', ...args], env);
    const said = unwrapped(ended.stdout + ended.stderr);
    for (const word of words) expect(said).toContain(word);
    expect(ended.code).toBe(code);
    expect(ended.ms).toBeLessThan(30_000);
    expect(ended.stderr).not.toMatch(/^ {4}at /m);
    expect(said.length).toBeLessThan(10_000);
    expect(await leftOvers(folder)).toEqual([]);
  });
});

test('the file that was in the way of the sandboxed script is as it was', async () => {
  expect(await readFile(join(folder, 'results.csv'), 'utf8')).toBe('the grades of forty students\n');
});

test('a function that changes what it was given harms nobody, and is judged like any other', async () => {
  const { code, stdout } = await scd2check(folder, [
    './mutates-input.mjs',
    '--scope',
    '0',
    '--histories',
    '0',
    '--quiet',
  ]);
  expect(stdout).toMatch(/^PASS/);
  expect(code).toBe(0);
});
