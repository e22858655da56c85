import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { check, outcome, ROOT } from './engine.ts';
import { environment, hasPython } from './environment.ts';

const HERE = join(import.meta.dirname, 'frames');
const KIT = join(ROOT, 'kits', 'python');

const RIGHT = { exitCode: 0, verdict: 'pass', problems: [], first: null, others: [] };

/** Every type of column, beside those of the boundary cases. */
const ALL_TYPES = [
  'key=customer_id bigint',
  'tracked=customer_segment,points integer,balance decimal(18,4),share double,vip boolean,born date,seen timestamp',
  'untracked=street',
].flatMap((columns) => ['--set', columns]);

describe.skipIf(!hasPython())('data frames', () => {
  let python = '';

  beforeAll(async () => {
    python = await environment('frames', join(HERE, 'requirements.txt'));
  });

  test.each(['pandas', 'polars'])('no cell is lost on the way into %s and back', async (library) => {
    const script = [join(HERE, 'roundtrip.py'), KIT, library, '500'];
    const { stdout } = await promisify(execFile)(python, script);
    expect(Number(stdout)).toBeGreaterThan(1000);
  });

  test.each(['pandas', 'polars'])('examples/with_%s.py holds its contract', async (library) => {
    const ran = await check(python, join(ROOT, 'examples', `with_${library}.py`));
    expect(outcome(ran)).toEqual(RIGHT);
  });

  test('NULL and NaN cannot be told apart in pandas, so NaN is not sent there', async () => {
    const verdictOf = async (library: string) => {
      const example = join(ROOT, 'examples', `with_${library}.py`);
      const ran = await check(python, example, '--case', 'segment-change', '--case', 'value-nan');
      expect(outcome(ran)).toEqual(RIGHT);
      return ran.report.cases.find(({ id }) => id === 'value-nan')?.verdict;
    };
    expect(await verdictOf('pandas')).toBe('skipped');
    expect(await verdictOf('polars')).toBe('pass');
  });

  test.each(['pandas', 'polars'])('an unchanged row of any type is unchanged in %s', async (library) => {
    const example = join(ROOT, 'examples', `with_${library}.py`);
    const ran = await check(python, example, ...ALL_TYPES, '--scope', '2', '--histories', '50');
    expect(outcome(ran)).toEqual(RIGHT);
  });
});
