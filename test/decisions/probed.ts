import { declareContract } from '../../src/contract/declare.ts';
import { STRICT } from '../../src/contract/presets.ts';
import { describe } from '../../src/probe/describe.ts';
import { probe } from '../../src/probe/probe.ts';
import type { ProbeReport } from '../../src/probe/report.ts';
import { deciding } from './implementation.ts';
import type { OneOption } from './options.ts';

/** What a probe says of an implementation that declares its columns and nothing that it decides. */
export async function probed(one: OneOption): Promise<ProbeReport> {
  const implementation = deciding(one);
  const declared = declareContract([implementation.declared]);
  return describe(await probe(implementation, declared), declared, {
    tool: { name: 'scd2check', version: 'test' },
    implementation: { name: implementation.name, kind: implementation.kind },
    totalMs: 0,
  });
}

/** What is wrong with what a probe says: of the field in question, and of any other. Empty where nothing is. */
export function wrongProbes(one: OneOption, { fields }: ProbeReport): readonly string[] {
  return fields.flatMap(({ field, status, option, alike }) => {
    if (field === one.field) return option === one.seen ? [] : [`${field}: ${option ?? status}`];
    if (status === 'not-observable') return [];
    const own = one.decisions[field] ?? AS_THE_BASE[field];
    const isRight = status === 'follows' && (option === own || alike.includes(String(own)));
    return isRight || one.mayShow.includes(field) ? [] : [`${field}: ${option ?? status}`];
  });
}

/**
 * What the base does where a contract says nothing: the decisions of `strict`, and something for what that excludes. It is a function, so of
 * transactions nothing can be seen.
 */
const AS_THE_BASE: Readonly<Record<string, unknown>> = {
  ...STRICT,
  sameInstant: 'last',
  duplicates: 'last',
  nullKey: 'value',
  untracked: 'current',
  compare: 'sql',
  keyCompare: 'sql',
  transaction: undefined,
};
