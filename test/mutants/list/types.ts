import type { Row } from '../../../src/contract/columns.ts';
import { type Memory, RIGHT, type Rules, type Version } from '../base.ts';
import { TYPE_1, TYPE_3, TYPE_4, TYPE_4_PAST, TYPE_6 } from '../contracts.ts';
import type { Mutant } from '../mutant.ts';
import { currentValues, flagged, previousValues, rowsOfType, withoutBounds } from '../types.ts';
import { versionsBecome } from './rows.ts';

/** Dimensions of types 1, 3, 4 and 6, wrong in what is their own. */

/** The right rows of a key, changed. */
function rowsOfKey(
  change: (rows: readonly Row[], versions: readonly Version[], memory: Memory) => readonly Row[],
): Partial<Rules> {
  return { rows: (versions, memory) => change(rowsOfType(RIGHT, versions, memory), versions, memory) };
}

function written(version: Version, memory: Memory): Row {
  return withoutBounds(RIGHT.write(version, memory), memory);
}

/** Of type 4: the rows of the history, changed. */
function historyBecomes(change: (history: readonly Row[], memory: Memory) => readonly Row[]): Partial<Rules> {
  return rowsOfKey((rows, _, memory) => {
    const { name } = memory.contract.columns.inHistory!;
    const history = rows.filter((row) => row[name] === true);
    return [...rows.filter((row) => row[name] !== true), ...change(history, memory)];
  });
}

const realVersions = (versions: readonly Version[]) => versions.filter(({ isMarker }) => !isMarker);

const ONE: readonly Mutant[] = [
  {
    id: 'type-1-keeps-history',
    title: 'A change is inserted beside the old row and overwrites nothing',
    source: ['Kimball: type 1'],
    contract: TYPE_1,
    leads: 'one-row-per-key',
    change: rowsOfKey((rows, versions, memory) =>
      rows.length === 0 ? [] : versions.map((version) => written(version, memory)),
    ),
  },
  {
    id: 'type-1-insert-only',
    title: 'Rows that are there already are never overwritten',
    source: ['Kimball: type 0 in the place of type 1'],
    contract: TYPE_1,
    leads: 'current-value',
    change: rowsOfKey((rows, versions, memory) =>
      rows.length === 0 ? [] : [written(versions.findLast(({ isAnew }) => isAnew)!, memory)],
    ),
  },
  {
    id: 'type-1-last-arrival',
    title: 'What arrives last overwrites, however old it is',
    source: ['seed 003: WHEN MATCHED THEN UPDATE SET *'],
    contract: TYPE_1,
    leads: 'current-value',
    change: {
      rows: (versions, memory) => {
        const [key] = versions.map((version) => version.key);
        const last = memory.said.get(key ?? '')?.at(-1);
        const isInLast = memory.loads.at(-1)?.named.has(key ?? '');
        if (last?.row == null || isInLast !== true) return [];
        return [written({ ...versions[0]!, row: last.row, extra: last.row }, memory)];
      },
    },
  },
  {
    id: 'type-1-null-keeps',
    title: 'A NULL that is delivered leaves the old value where it was: coalesce(new, old)',
    source: ['HIS-03'],
    contract: TYPE_1,
    leads: 'current-value',
    change: rowsOfKey((rows, versions, memory) => {
      const { tracked } = memory.contract.columns;
      return rows.map((row) => ({
        ...row,
        ...Object.fromEntries(
          tracked.map(({ name }) => [
            name,
            versions.map((version) => version.row[name] ?? null).findLast((cell) => cell !== null) ?? null,
          ]),
        ),
      }));
    }),
  },
  {
    id: 'type-1-never-deletes',
    title: 'The row of a key that is gone stays, where it is to go',
    source: ['seed 003: MERGE without WHEN NOT MATCHED BY SOURCE'],
    contract: TYPE_1,
    leads: 'current-value',
    change: rowsOfKey((_, versions, memory) => versions.slice(-1).map((version) => written(version, memory))),
  },
  {
    id: 'type-1-untracked-stale',
    title: 'Only a change of the tracked attributes overwrites the row',
    source: ['seed 004: address-only'],
    contract: TYPE_1,
    leads: 'untracked',
    change: rowsOfKey((rows, versions, memory) =>
      rows.length === 0
        ? []
        : versions.slice(-1).map((version) => written({ ...version, extra: version.row }, memory)),
    ),
  },
];

const THREE: readonly Mutant[] = [
  {
    id: 'type-3-lost-on-repeat',
    title: 'Each load moves the current value to the previous one, a repeated one too',
    source: ['seed 003: SCD type 3, without <>'],
    contract: TYPE_3,
    leads: 'previous-value',
    change: {
      previousValues: (versions, memory) => {
        const { key, row } = versions.at(-1)!;
        const isRepeat = (memory.said.get(key)?.length ?? 0) > versions.length;
        return isRepeat ? { previous_a: row['a'] ?? null } : previousValues(versions, memory);
      },
    },
  },
  {
    id: 'type-3-never-kept',
    title: 'The current value is overwritten and the previous one never filled',
    source: ['Kimball: type 1 in the place of type 3'],
    contract: TYPE_3,
    leads: 'previous-value',
    change: { previousValues: () => ({ previous_a: null }) },
  },
  {
    id: 'type-3-any-change-moves',
    title: 'A change of another attribute moves the value to the previous one too',
    source: ['seed 003: changeRowsDF'],
    contract: TYPE_3,
    leads: 'previous-value',
    change: {
      previousValues: (versions) => {
        const alive = realVersions(versions);
        const start = alive.findLastIndex(({ isAnew }) => isAnew);
        return { previous_a: alive.slice(start).at(-2)?.row['a'] ?? null };
      },
    },
  },
  {
    id: 'type-3-null-unseen',
    title: 'A change to or from NULL keeps no previous value: the comparison is <>',
    source: ['seed 003: scdType3.address_country <> scdType3New.address_country'],
    contract: TYPE_3,
    leads: 'previous-value',
    change: {
      previousValues: (versions, memory) => {
        const withValue = versions.filter(({ row }) => (row['a'] ?? null) !== null);
        return withValue.length === 0 ? { previous_a: null } : previousValues(withValue, memory);
      },
    },
  },
  {
    id: 'type-3-original-value',
    title: 'The column holds the first value ever, and not the one before',
    source: ['Kimball: an original value in the place of the prior one'],
    contract: TYPE_3,
    leads: 'previous-value',
    change: {
      previousValues: (versions, memory) => {
        const right = previousValues(versions, memory);
        if (right['previous_a'] === null) return right;
        const start = versions.findLastIndex(({ isAnew }) => isAnew);
        return { previous_a: versions[start]!.row['a'] ?? null };
      },
    },
  },
  {
    id: 'type-3-survives-delete',
    title: 'A key that comes back has the previous value of its former life',
    source: ['DEL-01'],
    contract: TYPE_3,
    leads: 'previous-value',
    change: {
      previousValues: (versions, memory) =>
        previousValues(
          versions.map((version, at) => ({ ...version, isAnew: at === 0 })),
          memory,
        ),
    },
  },
];

const FOUR: readonly Mutant[] = [
  {
    id: 'type-4-first-state-missing',
    title:
      'The history is written when a row is overwritten, with the new row: the first state is never in it',
    source: ['Kimball: type 4 as current and history'],
    contract: TYPE_4,
    leads: 'history-complete',
    change: historyBecomes((history) => history.slice(1)),
  },
  {
    id: 'type-4-open-missing',
    title: 'The history holds only what has ended, where every version is declared',
    source: ['temporal tables'],
    contract: TYPE_4,
    leads: 'history-complete',
    change: historyBecomes((history, { contract }) =>
      history.filter((row) => row[contract.columns.validTo!.name] !== null),
    ),
  },
  {
    id: 'type-4-repeated-in-history',
    title: 'Each load that names a key adds a row to its history, changed or not',
    source: ['IDM-01'],
    contract: TYPE_4,
    leads: 'no-repeat',
    change: { opens: () => true },
  },
  {
    id: 'type-4-never-ends',
    title: 'The history of a key that is deleted is not closed',
    source: ['DEL-01'],
    contract: TYPE_4,
    leads: 'open-count',
    change: rowsOfKey((rows, versions, memory) =>
      versions.at(-1)?.to === null
        ? rows
        : flagged(
            versions.map((version, at) =>
              RIGHT.write(at === versions.length - 1 ? { ...version, to: null } : version, memory),
            ),
            true,
            memory,
          ),
    ),
  },
  {
    id: 'type-4-current-stale',
    title: 'The history is kept, and the current table overwritten by the next load only',
    source: ['seed 003: SCD type 4'],
    contract: TYPE_4,
    leads: 'current-value',
    change: rowsOfKey((rows, versions, memory) => {
      const before = versions.at(-2);
      const { name } = memory.contract.columns.inHistory!;
      if (before === undefined || before.to !== versions.at(-1)!.from) return rows;
      return rows.map((row) =>
        row[name] === true ? row : flagged([written(before, memory)], false, memory)[0]!,
      );
    }),
  },
  {
    id: 'type-4-open-in-past',
    title: 'The history repeats what the current table holds, where only the past is declared',
    source: ['temporal tables'],
    contract: TYPE_4_PAST,
    leads: 'version-count',
    change: {
      rows: (versions, memory) =>
        rowsOfType(RIGHT, versions, {
          ...memory,
          contract: { ...memory.contract, historyHolds: 'all' },
        }),
    },
  },
];

const SIX: readonly Mutant[] = [
  {
    id: 'type-6-closed-keep-old',
    title: 'The current value is written on the open row alone: closed rows keep theirs',
    source: ['Kimball: type 6'],
    contract: TYPE_6,
    leads: 'current-on-every-row',
    change: rowsOfKey((rows, versions, memory) =>
      rows.map((row, at) => ({ ...row, ...currentValues(versions.slice(0, at + 1), memory) })),
    ),
  },
  {
    id: 'type-6-last-two-only',
    title:
      'The current value is written on the row that was closed last and on the open one, not on older ones',
    source: ['Kimball: type 6'],
    contract: TYPE_6,
    leads: 'current-on-every-row',
    change: rowsOfKey((rows, versions, memory) =>
      rows.map((row, at) => ({ ...row, ...currentValues(versions.slice(0, at + 2), memory) })),
    ),
  },
  {
    id: 'type-6-null-keeps',
    title: 'A NULL does not become the current value: coalesce(new, old)',
    source: ['HIS-03'],
    contract: TYPE_6,
    leads: 'current-on-every-row',
    change: {
      currentValues: (versions, memory) => {
        const withValue = versions.filter(({ row }) => (row['customer_segment'] ?? null) !== null);
        return currentValues(withValue.length === 0 ? versions : withValue, memory);
      },
    },
  },
  {
    id: 'type-6-cleared-by-delete',
    title: 'A delete clears the current value on all rows of the key',
    source: ['DEL-01'],
    contract: TYPE_6,
    leads: 'current-on-every-row',
    change: {
      currentValues: (versions, memory) =>
        versions.at(-1)!.to === null ? currentValues(versions, memory) : { current_customer_segment: null },
    },
  },
  {
    id: 'type-6-previous-for-current',
    title: 'Late data that was sorted in takes the place of the current value',
    source: ['LAT-01'],
    contract: TYPE_6,
    leads: 'current-on-every-row',
    change: {
      currentValues: (versions, memory) => {
        const last = memory.said.get(versions[0]!.key)?.findLast(({ row }) => row !== null);
        return { current_customer_segment: last?.row?.['customer_segment'] ?? null };
      },
    },
  },
  {
    id: 'type-6-overwrites-history',
    title: 'The tracked attribute itself is overwritten on every row',
    source: ['Kimball: type 1 in the place of type 6'],
    contract: TYPE_6,
    leads: 'no-repeat',
    change: versionsBecome((versions) =>
      versions.map((version) => ({ ...version, row: versions.at(-1)!.row })),
    ),
  },
];

export const OF_TYPES: readonly Mutant[] = [...ONE, ...THREE, ...FOUR, ...SIX];
