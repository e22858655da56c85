import type { Cell, Row } from '../../../src/contract/columns.ts';
import type { Contract } from '../../../src/contract/contract.ts';
import { hasNullKey, RIGHT, type Rules } from '../base.ts';
import { DELTA, IGNORING, PAIR, STRICT } from '../contracts.ts';
import type { Mutant } from '../mutant.ts';
import { closedAt, isOpen, isStamped, trackedIn, withKey } from './rows.ts';

/** Which rows belong to one key. */

function parts(row: Row, { columns }: Contract): readonly Cell[] {
  return columns.key.map(({ name }) => row[name] ?? null);
}

function keyedBy(text: (parts: readonly Cell[]) => string): Partial<Rules> {
  return { keyOf: (row, contract) => text(parts(row, contract)) };
}

function texts(change: (text: string) => string): Partial<Rules> {
  return keyedBy((all) => JSON.stringify(all.map((cell) => (cell === null ? null : change(`${cell}`)))));
}

export const KEYS: readonly Mutant[] = [
  {
    id: 'key-case-folded',
    title: 'Keys that differ in case only are one',
    source: ['STR-03', 'STR-04'],
    contract: STRICT,
    leads: 'open-count',
    mayLead: ['contiguous', 'version-count'],
    keys: 2,
    change: texts((text) => text.toLowerCase()),
  },
  {
    id: 'key-trimmed',
    title: 'Keys are trimmed',
    source: ['STR-04', 'STR-01'],
    contract: STRICT,
    leads: 'open-count',
    mayLead: ['contiguous', 'version-count'],
    keys: 2,
    change: texts((text) => text.trim()),
  },
  {
    id: 'key-prefix',
    title: 'Keys are cut to 50 characters',
    source: ['HSH-07'],
    contract: STRICT,
    leads: 'open-count',
    mayLead: ['contiguous', 'version-count'],
    keys: 2,
    change: texts((text) => text.slice(0, 50)),
  },
  {
    id: 'keys-concatenated',
    title: 'The parts of a key are joined without a separator',
    source: ['HSH-01'],
    contract: PAIR,
    leads: 'open-count',
    mayLead: ['contiguous', 'version-count'],
    keys: 2,
    change: keyedBy((all) => all.map((cell) => cell ?? '\u0000').join('')),
  },
  {
    id: 'key-part-forgotten',
    title: 'Only the first part of the key is joined on',
    source: ['NKY-03'],
    contract: PAIR,
    leads: 'open-count',
    mayLead: ['contiguous', 'version-count'],
    keys: 2,
    change: keyedBy((all) => JSON.stringify(all[0])),
  },
  {
    id: 'null-key-dropped',
    title: 'Rows with NULL in the key are dropped, though the contract takes NULL for a value',
    source: ['NKY-04'],
    contract: PAIR,
    leads: 'open-count',
    change: { isSkipped: hasNullKey },
  },
  {
    id: 'null-key-never-matches',
    title: 'A key with NULL never matches itself: each load opens another version and closes none',
    source: ['NKY-01', 'NKY-03'],
    contract: PAIR,
    leads: 'one-open-version',
    change: {
      shape: (versions, observed, memory) => {
        const row = versions[0]?.row;
        if (row === undefined || !hasNullKey(row, memory.contract))
          return RIGHT.shape(versions, observed, memory);
        const present = observed.filter((said) => said.row !== null);
        const all = present.map(({ key, row, state, at }) => ({
          ...versions[0]!,
          ...{ key, row: row!, extra: row!, state, from: at, to: null },
        }));
        return all.filter(({ from }, at) => all.findIndex((one) => one.from === from) === at);
      },
    },
  },
  {
    id: 'null-key-as-empty',
    title: 'NULL in a key is read as an empty text, and so joined with a key that has one',
    source: ['NKY-01', 'NKY-03'],
    contract: PAIR,
    leads: 'open-count',
    mayLead: ['contiguous', 'version-count'],
    keys: 2,
    change: keyedBy((all) => JSON.stringify(all.map((cell) => cell ?? ''))),
  },
  {
    id: 'null-key-kept',
    title: 'Rows with NULL in the key get versions, though the contract skips them',
    source: ['NKY-01'],
    contract: IGNORING,
    leads: 'key-not-null',
    change: { isSkipped: () => false },
  },
  {
    id: 'key-from-empty-side',
    title: 'A delete adds a row from the empty side of the outer join, its key NULL',
    source: ['DEL-03'],
    contract: STRICT,
    leads: 'key-not-null',
    change: {
      table: (rows, { contract }) => [
        ...rows,
        ...rows
          .filter((row) => !isOpen(row, contract))
          .map((row) => withKey(row, contract, null))
          .slice(0, 1),
      ],
    },
  },
  {
    id: 'inferred-member',
    title: 'A delete adds a member `UNKNOWN` that no load delivered',
    source: ['DEL-03', 'seed 004: the UNKNOWN member'],
    contract: STRICT,
    leads: 'no-invented-key',
    change: {
      table: (rows, { contract }) => [
        ...rows,
        ...rows
          .filter((row) => !isOpen(row, contract))
          .map((row) => withKey(row, contract, 'UNKNOWN'))
          .slice(0, 1),
      ],
    },
  },
  {
    id: 'same-attributes-closed',
    title:
      'Where a key changes, others with the same attributes are closed with it: the version id leaves the key out',
    source: ['HSH-06'],
    contract: DELTA,
    leads: 'untouched-keys',
    keys: 2,
    change: {
      table: (rows, { contract }, { asOf, named }) => {
        const isNamed = (row: Row) => named.has(RIGHT.keyOf(row, contract));
        const left = new Set(
          rows
            .filter((row) => isNamed(row) && isStamped(row, 'validTo', asOf, contract))
            .map((row) => trackedIn(row, contract)),
        );
        return rows.map((row) =>
          isOpen(row, contract) && !isNamed(row) && left.has(trackedIn(row, contract))
            ? closedAt(row, asOf, contract)
            : row,
        );
      },
    },
  },
];
