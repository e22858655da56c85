import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Database } from '../../duckdb/connection.ts';
import { commandClient } from './command.ts';

let db: Database;
beforeAll(async () => {
  db = await Database.open();
});
afterAll(() => db.close());

/** A client that prints this, whatever it is asked. */
const printing = (text: string, dialect: string) =>
  commandClient(db, `cat > /dev/null; cat <<'END'\n${text}\nEND`, dialect);

describe('rows', () => {
  const wanted = [{ key: 'a, "b"', n: '9223372036854775807', end: null, open: 'true' }];
  const object = '{"key":"a, \\"b\\"","n":9223372036854775807,"end":null,"open":true}';
  const cell = `"${object.replaceAll('"', '""')}"`;
  test.each([
    ['CSV', 'postgres', 'key,n,end,open\n"a, ""b""",9223372036854775807,,true'],
    ['JSON', 'postgres', `[${object}]`],
    ['JSON lines', 'postgres', object],
    ['JSON lines of a query that makes them', 'spark', object],
    ['such lines in CSV', 'spark', `json\n${cell}`],
    ['such lines in JSON', 'spark', JSON.stringify([{ json: object }])],
  ])('%s: every value is text, and 64 bits are kept', async (_, dialect, printed) => {
    expect(await printing(printed, dialect).query('SELECT 1')).toEqual(wanted);
  });

  test('of several queries come back with the number of their query', async () => {
    const printed = '{"q":1,"row":{"a":1}}\n{"q":1,"row":{"a":2}}\n{"q":2,"row":{"b":"x"}}';
    expect(await printing(printed, 'spark').queryAll(['', '', ''])).toEqual([
      [],
      [{ a: '1' }, { a: '2' }],
      [{ b: 'x' }],
    ]);
  });
});

test('the columns of a struct have their types, whatever is nested in them', async () => {
  const type = 'struct<id:bigint,price:decimal(9,2),tags:map<string,array<int>>,from:timestamp_ntz>';
  const row = { id: 1, price: 2, tags: {}, from: 'x' };
  expect(await printing(JSON.stringify({ row, type }), 'spark').columns('t')).toEqual([
    { name: 'id', type: 'BIGINT' },
    { name: 'price', type: 'DECIMAL(9,2)' },
    { name: 'tags', type: 'MAP<STRING,ARRAY<INT>>' },
    { name: 'from', type: 'TIMESTAMP_NTZ' },
  ]);
});

describe('what is no answer is told', () => {
  test.each([
    ['a failure', 'echo "FATAL: no such user" >&2; exit 2', 'postgres', 'ended with 2: FATAL: no such user'],
    [
      'a failure below a log and above a stack',
      'printf "26/11/30 WARN Utils: x\\n[NOT_FOUND] There is no table\\n\\tat a.b.C\\n" >&2; exit 1',
      'spark',
      'ended with 1: [NOT_FOUND] There is no table',
    ],
    ['a password in it', 'echo "error in postgres://u:s3cret@h/d" >&2; exit 1', 'postgres', 'u:***@h'],
    ['words', 'echo "Welcome to the client."; echo "Bye, and come again, all of you"', 'spark', 'no answer'],
    ['half an object', `echo '{"row":'`, 'spark', 'no answer to the query: `{"row":`'],
  ])('%s', async (_, command, dialect, message) => {
    await expect(commandClient(db, command, dialect).query('SELECT 1')).rejects.toThrow(message);
  });
});

test('what the shell started ends with an interruption', async () => {
  const client = commandClient(db, 'sleep 60; echo late', 'postgres');
  setTimeout(() => client.interrupt(), 100);
  await expect(client.query('SELECT 1')).rejects.toThrow('aborted');
  await expect(client.query('SELECT 1')).rejects.toThrow('aborted');
});
