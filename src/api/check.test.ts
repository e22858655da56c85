import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { dimCustomer } from '../../examples/vitest/dim-customer.ts';
import { type CheckOptions, check } from './check.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');
const cwd = mkdtempSync(join(tmpdir(), 'scd2check-api-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** Enough to see that all parts are run. */
const SHORT: CheckOptions = { cwd, scope: 2, histories: 50 };
const IN_ORDER = { late: 'never' };

describe('check', () => {
  it('judges a function of the caller, in every part of a run', async () => {
    const report = await check(dimCustomer, { ...SHORT, contract: IN_ORDER });
    expect(report.verdict).toBe('pass');
    expect(report.implementation).toEqual({ name: 'dimCustomer', kind: 'function' });
    expect(report.scope?.completed).toBe(true);
    expect(report.random?.histories).toBeGreaterThanOrEqual(50);
    expect(report.checks.find(({ id }) => id === 'idempotent')?.verdict).toBe('pass');
  });

  it('judges by strict where no contract is given', async () => {
    const report = await check(dimCustomer, { ...SHORT, cases: ['boundary'] });
    expect(report.verdict).toBe('fail');
    expect(report.contractAssumed).toBe(true);
    expect(report.cases.find(({ id }) => id === 'late-arrival')?.verdict).toBe('fail');
  });

  it('judges a path, by what the file declares', async () => {
    const report = await check(join(EXAMPLES, 'observation-log.sql'), { ...SHORT, scope: 0, histories: 0 });
    expect(report.verdict).toBe('pass');
    expect(report.cases.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(7);
  });

  it('judges a program with its arguments', async () => {
    const command = [process.execPath, '-e', 'process.stdin.resume().on("end", () => console.log("[]"))'];
    const report = await check({ command }, { ...SHORT, cases: ['no-change'], scope: 0, histories: 0 });
    expect(report.implementation.kind).toBe('command');
    expect(report.findings.map(({ check }) => check)).toEqual(['open-count']);
  });

  it('gives the same report for the same seed', async () => {
    const wrong = (
      state: Parameters<typeof dimCustomer>[0],
      rows: Parameters<typeof dimCustomer>[1],
      at: { asOf: string },
    ) => dimCustomer(state, rows.slice(1), at);
    const ids = async () =>
      (
        await check(wrong, { cwd, scope: 0, histories: 20, cases: ['boundary'], contract: IN_ORDER })
      ).findings.map(({ id }) => id);
    const first = await ids();
    expect(first.length).toBeGreaterThan(0);
    expect(await ids()).toEqual(first);
  });

  it('reports a function that waits without end', async () => {
    const waits = () => new Promise(() => undefined);
    const report = await check(waits, { ...SHORT, cases: ['no-change'], timeout: '100ms' });
    expect(report.verdict).toBe('inconclusive');
    expect(report.problems[0]).toMatchObject({ kind: 'timeout' });
  });

  it.each([
    [{ cases: ['no-chnage'] }, 'There is no case `no-chnage`. Did you mean `no-change`?'],
    [{ checks: ['contigous'] }, 'There is no check `contigous`. Did you mean `contiguous`?'],
    [{ contract: { late: 'nevr' } }, 'nevr'],
    [{ timeLimit: 'soon' }, '`timeLimit` cannot be `soon`'],
    [{ scope: -1 }, '`scope` cannot be `-1`'],
    [{ scope: 99 }, '`scope` cannot be `99`. Write 7 or less'],
    [{ histories: 1.5 }, '`histories` cannot be `1.5`'],
    [{ contract: { clock: 'moved' } }, 'shares the clock'],
  ])('refuses %o', async (options, message) => {
    await expect(check(dimCustomer, { cwd, ...options })).rejects.toThrow(message);
  });

  it('says what there is instead of a path that is not there', async () => {
    await expect(check('observation-log.sq', { cwd: EXAMPLES })).rejects.toThrow('Did you mean');
  });
});
