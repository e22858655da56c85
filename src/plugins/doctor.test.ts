import { afterEach, describe, expect, test } from 'vitest';
import { fixture, IMPATIENT, LIMITS, setupOf } from '../../test/fixtures/command/setup.ts';
import { openCommand } from './command.ts';
import { doctor } from './doctor.ts';
import type { OpenedImplementation } from './opened.ts';
import { openPython } from './python.ts';

let opened: OpenedImplementation | null = null;

afterEach(async () => {
  await opened?.close();
  opened = null;
});

async function diagnose(open: Promise<OpenedImplementation>, declared = {}) {
  opened = await open;
  const { ok, lines } = await doctor(opened, setupOf(declared).contract);
  return {
    ok,
    wrong: lines.filter((line) => !line.ok).map(({ text }) => text),
    text: lines.map(({ text }) => text).join('\n'),
  };
}

const zoo = (flaw: string) => openCommand(['node', fixture('zoo.mjs'), flaw], IMPATIENT);

describe('the doctor', () => {
  test('finds nothing wrong with a good adapter, whatever its columns', async () => {
    const found = await diagnose(openCommand(['node', fixture('good-protocol.mjs')], LIMITS), {
      key: ['a INTEGER', 'b DECIMAL(3,2)'],
      tracked: 'c BOOLEAN',
      untracked: ['d DATE', 'e DOUBLE', 'f TEXT(1)'],
    });
    expect(found).toMatchObject({ ok: true, wrong: [] });
    expect(found.text).toMatch(/A second session starts empty/);
  });

  test('says which columns it guessed', async () => {
    const found = await diagnose(openPython(fixture('seed.py'), LIMITS));
    expect(found.ok).toBe(true);
    expect(found.text).toMatch(/`_tech_valid_from` is taken for `validFrom`/);
  });

  test.each([
    ['keeps-nothing', /gives no rows after a load that was applied/],
    ['rejecting', /refused a first load of two rows: this extract is late/],
    ['hang-in-apply', /no answer within/],
    ['tomorrow', /"tomorrow"/],
    ['not-ok', /did not start a session: no warehouse/],
    ['few-columns', /Every row has to hold `customer_segment` and `street`, and none does/],
    ['never-empty', /A second session starts with 1 row of the first/],
    ['no-empty', /did not take an empty load: an empty extract.*emptySnapshot: reject/],
  ])('tells the author of %s', async (flaw, story) => {
    const { ok, wrong } = await diagnose(zoo(flaw));
    expect(ok).toBe(false);
    expect(wrong).toHaveLength(1);
    expect(wrong[0]).toMatch(story);
  });
});
