import type { Cell, Row } from '../../../src/contract/columns.ts';
import type { Contract } from '../../../src/contract/contract.ts';
import { digest, identity, RIGHT, type Rules, type Saying, type Version } from '../base.ts';
import { DOUBLES, NUMBERS, STRICT, TEXTS, WIDE } from '../contracts.ts';
import type { Mutant } from '../mutant.ts';

/** What counts as a change: hashes and comparisons that see too little, or too much. */

function cells(row: Row, { columns }: Contract): readonly Cell[] {
  return columns.tracked.map(({ name }) => row[name] ?? null);
}

/** Compares by one text made of all tracked cells. */
function comparesBy(text: (cells: readonly Cell[]) => string): Partial<Rules> {
  return { stateOf: (row, contract) => text(cells(row, contract)) };
}

/** Compares column by column: a version begins where one of them counts as changed. */
function changedWhere(differs: (old: Cell, now: Cell) => boolean): Partial<Rules> {
  return {
    opens: (held, said, { contract }) => {
      if (held === null) return true;
      const [old, now] = [cells(held.row!, contract), cells(said.row!, contract)];
      return old.some((cell, at) => differs(cell, now[at]!));
    },
  };
}

function texts(change: (text: string) => string): Partial<Rules> {
  return comparesBy((all) => JSON.stringify(all.map((cell) => (cell === null ? null : change(`${cell}`)))));
}

function withoutStates(isLost: (version: Version, earlier: readonly Version[]) => boolean): Partial<Rules> {
  return {
    shape: (versions, observed, memory) =>
      RIGHT.shape(
        versions.filter((version, at) => !isLost(version, versions.slice(0, at))),
        observed,
        memory,
      ),
  };
}

/** What was there before is not looked at again. */
function withoutSeen(observed: readonly Saying[]): readonly Saying[] {
  const seen = new Set<string>();
  let last: string | null = null;
  return observed.filter(({ row, state }) => {
    if (row === null) return true;
    const isOld = seen.has(state) && state !== last;
    seen.add(state);
    if (!isOld) last = state;
    return !isOld;
  });
}

export const COMPARING: readonly Mutant[] = [
  {
    id: 'a-b-a-closed-only',
    title: 'A state that the key had before closes the open version and opens none, because its id exists',
    source: ['ABA-01', 'seed 004: reopen-A-B-A'],
    contract: STRICT,
    leads: 'open-count',
    change: withoutStates(({ state }, earlier) => earlier.some((one) => one.state === state)),
  },
  {
    id: 'a-b-a-ignored',
    title: 'A state whose hash exists anywhere in the history of its key is ignored',
    source: ['ABA-03', 'seed 004: reopen-A-B-A'],
    contract: STRICT,
    leads: 'version-count',
    change: { observe: (key, memory) => withoutSeen(RIGHT.observe(key, memory)) },
  },
  {
    id: 'null-compare',
    title: 'Columns are compared with `<>`, which is unknown where one side is NULL',
    source: ['NUL-01', 'seed 000: `t.attr <> u.attr`', 'seed 002: `c.country <> s.country`'],
    contract: STRICT,
    leads: 'version-count',
    change: changedWhere((old, now) => old !== null && now !== null && old !== now),
  },
  {
    id: 'null-to-value-missed',
    title: 'A value where NULL was is no change',
    source: ['NUL-01', 'NUL-04'],
    contract: STRICT,
    leads: 'version-count',
    change: changedWhere((old, now) => old !== null && old !== now),
  },
  {
    id: 'value-to-null-missed',
    title: 'NULL where a value was is no change: the load keeps the old value',
    source: ['HIS-03'],
    contract: STRICT,
    leads: 'version-count',
    change: changedWhere((old, now) => now !== null && old !== now),
  },
  {
    id: 'empty-is-null',
    title: 'An empty text and NULL are hashed alike',
    source: ['STB-04', 'HSH-04'],
    contract: STRICT,
    leads: 'version-count',
    change: comparesBy((all) => JSON.stringify(all.map((cell) => cell ?? ''))),
  },
  {
    id: 'placeholder-for-null',
    title: 'NULL is hashed as `NULL`, a text that a source can send',
    source: ['HSH-04', 'STB-03'],
    contract: STRICT,
    leads: 'version-count',
    change: comparesBy((all) => JSON.stringify(all.map((cell) => cell ?? 'NULL'))),
  },
  {
    id: 'no-separator',
    title: 'Columns are joined without a separator before they are hashed',
    source: ['HSH-03'],
    contract: TEXTS,
    leads: 'version-count',
    change: comparesBy((all) => all.map((cell) => cell ?? '\u0000').join('')),
  },
  {
    id: 'separator-in-value',
    title: 'Columns are joined with a separator that values contain too',
    source: ['HSH-04'],
    contract: TEXTS,
    leads: 'version-count',
    change: comparesBy((all) => all.map((cell) => cell ?? '\u0000').join('|')),
  },
  {
    id: 'nulls-left-out',
    title: 'NULL columns are left out of the hash, so a value may move to the next column',
    source: ['STB-04'],
    contract: TEXTS,
    leads: 'version-count',
    change: comparesBy((all) => JSON.stringify(all.filter((cell) => cell !== null))),
  },
  {
    id: 'columns-sorted',
    title: 'The values are sorted before they are hashed, so two columns may change places',
    source: ['STB-01'],
    contract: TEXTS,
    leads: 'version-count',
    change: comparesBy((all) => JSON.stringify(all.map((cell) => `${cell}`).sort())),
  },
  {
    id: 'column-not-compared',
    title: 'A tracked column that was added later is not in the comparison',
    source: ['EVO-01', 'EVO-03'],
    contract: TEXTS,
    leads: 'version-count',
    change: comparesBy((all) => JSON.stringify(all.slice(0, 1))),
  },
  {
    id: 'trimmed',
    title: 'Texts are trimmed before they are compared',
    source: ['STR-01'],
    contract: STRICT,
    leads: 'version-count',
    change: texts((text) => text.trim()),
  },
  {
    id: 'case-folded',
    title: 'Texts are compared without regard to case',
    source: ['STR-03'],
    contract: STRICT,
    leads: 'version-count',
    change: texts((text) => text.toLowerCase()),
  },
  {
    id: 'prefix-compared',
    title: 'Only the first 255 characters are compared',
    source: ['HSH-07'],
    contract: STRICT,
    leads: 'version-count',
    change: texts((text) => text.slice(0, 255)),
  },
  {
    id: 'through-double',
    title: 'Big integers are compared as doubles, which have gaps beyond 2^53',
    source: ['PRC-01'],
    contract: NUMBERS,
    leads: 'version-count',
    change: comparesBy((all) =>
      JSON.stringify(all.map((cell) => (typeof cell === 'bigint' ? Number(cell) : `${cell}`))),
    ),
  },
  {
    id: 'day-compared',
    title: 'Timestamps are compared by their day',
    source: ['PRC-04', 'PRC-01'],
    contract: NUMBERS,
    leads: 'version-count',
    change: comparesBy((all) =>
      JSON.stringify(all.map((cell) => (typeof cell === 'string' ? cell.slice(0, 10) : `${cell}`))),
    ),
  },
  {
    id: 'nan-differs',
    title: 'NaN differs from itself, so each load makes a version',
    source: ['PRC-03'],
    contract: DOUBLES,
    leads: 'no-repeat',
    change: {
      opens: (held, said, memory) =>
        RIGHT.opens(held, said, memory) || cells(said.row!, memory.contract).some(Number.isNaN),
    },
  },
  {
    id: 'minus-zero-differs',
    title: 'Minus zero differs from zero',
    source: ['PRC-03'],
    contract: DOUBLES,
    leads: 'no-repeat',
    change: comparesBy((all) => JSON.stringify(all.map((cell) => (Object.is(cell, -0) ? '-0' : `${cell}`)))),
  },
  {
    id: 'untracked-compared',
    title: 'Untracked columns are in the comparison, so a corrected street makes a version',
    source: ['seed 004: address-only'],
    contract: STRICT,
    leads: 'no-repeat',
    change: { stateOf: (row, { columns }) => identity(row, [...columns.tracked, ...columns.untracked]) },
  },
  {
    id: 'hash-over-all',
    title: 'The hash covers all columns',
    source: ['seed 004: hashing all columns into _tech_hash', 'STB-03'],
    contract: WIDE,
    leads: 'hash-matches',
    change: { stateOf: (row, { columns }) => identity(row, [...columns.tracked, ...columns.untracked]) },
  },
  {
    id: 'hash-without-separator',
    title: 'Changes are found, but the hash that is stored joins the columns without a separator',
    source: ['HSH-03', 'HSH-04'],
    contract: WIDE,
    leads: 'hash-matches',
    change: {
      write: (version, memory) => ({
        ...RIGHT.write(version, memory),
        row_hash: digest(cells(version.row, memory.contract).join('')),
      }),
    },
  },
  {
    id: 'hash-of-first',
    title: 'Versions keep the hash of the first version of their key',
    source: ['STB-04'],
    contract: WIDE,
    leads: 'hash-matches',
    change: {
      shape: (versions, observed, memory) =>
        RIGHT.shape(versions, observed, memory).map((version) => ({ ...version, state: versions[0]!.state })),
    },
  },
  {
    id: 'version-each-load',
    title: 'Each load makes a version, changed or not',
    source: ['PRC-01', 'IDM-03', 'INS-04', 'IDN-01'],
    contract: STRICT,
    leads: 'no-repeat',
    change: { opens: () => true },
  },
];
