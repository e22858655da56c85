import type { Row } from '../../../src/contract/columns.ts';
import { RIGHT, type Rules, type Version } from '../base.ts';
import { IGNORING, MARKED, STRICT, WAREHOUSE, WIDE } from '../contracts.ts';
import type { Mutant } from '../mutant.ts';
import { merged, versionsBecome } from './rows.ts';

/** What happens to versions that are there already, and what is written beside them. */

export const KEEPING: readonly Mutant[] = [
  {
    id: 'overwritten-in-place',
    title: 'A change overwrites the open version (type 1)',
    source: ['seed 000: never overwrite the attribute in place', 'seed 003: SCD type 1'],
    contract: STRICT,
    leads: 'version-count',
    change: versionsBecome((versions) => merged(versions, (before, version) => before.to === version.from)),
  },
  {
    id: 'closed-restamped',
    title: 'Each change closes all versions of the key again: the close does not look for the open one',
    source: ['HIS-01', 'seed 003: ON id = id'],
    contract: STRICT,
    leads: 'closed-stays-closed',
    change: versionsBecome((versions) => {
      const last = versions.findLast(({ to }) => to !== null)?.to ?? null;
      return versions.map((version) => (version.to === null ? version : { ...version, to: last }));
    }),
  },
  {
    id: 'coalesce-tracked',
    title: 'The close fills NULL in the only tracked attribute, so both versions say the same',
    source: ['HIS-03'],
    contract: STRICT,
    leads: 'no-repeat',
    change: versionsBecome((versions, { memory }) => filled(versions, memory.contract.columns.tracked)),
  },
  {
    id: 'coalesce-untracked',
    title: 'The close fills untracked attributes with the new values',
    source: ['HIS-04'],
    contract: IGNORING,
    leads: 'untracked',
    change: versionsBecome((versions) =>
      versions.map((version, at) => {
        const next = versions[at + 1];
        return next?.from === version.to && next !== undefined ? { ...version, extra: next.extra } : version;
      }),
    ),
  },
  {
    id: 'history-cut',
    title: 'Only the last two versions of a key are kept',
    source: ['HIS-06', 'ATM-04'],
    contract: STRICT,
    leads: 'closed-stays-closed',
    change: versionsBecome((versions) => versions.slice(-2)),
  },
  {
    id: 'rebuilt-from-scratch',
    title: 'The third load takes the path of the first one, and begins the table anew',
    source: ['ATM-04', 'HIS-06', 'IDM-04'],
    contract: STRICT,
    leads: 'version-count',
    change: {
      take: (load, memory) => {
        if (memory.applied === 2) {
          memory.said.clear();
          memory.loads.length = 0;
        }
        return RIGHT.take(load, memory);
      },
    },
  },
  {
    id: 'untracked-stale',
    title: 'Untracked attributes stay as first delivered, where the current ones are declared',
    source: ['seed 004: address-only'],
    contract: MARKED,
    leads: 'untracked',
    change: {
      extraOf: (version, observed, memory) =>
        RIGHT.extraOf(version, observed, {
          ...memory,
          contract: { ...memory.contract, untracked: 'frozen' },
        }),
    },
  },
  {
    id: 'untracked-open-only',
    title: 'Untracked attributes are refreshed on the open version only, where all versions are declared',
    source: ['HIS-04'],
    contract: WAREHOUSE,
    leads: 'untracked',
    change: {
      extraOf: (version, observed, memory) =>
        RIGHT.extraOf(version, observed, {
          ...memory,
          contract: { ...memory.contract, untracked: 'current' },
        }),
    },
  },
  {
    id: 'untracked-of-another-key',
    title: 'Untracked attributes are joined by the tracked ones, and so come from another key',
    source: ['HSH-06'],
    contract: STRICT,
    leads: 'untracked',
    keys: 2,
    change: {
      extraOf: (version, observed, memory) => {
        const alike = memory.loads
          .flatMap(({ sayings }) => sayings)
          .filter(({ state }) => state === version.state);
        return alike[0]?.row ?? RIGHT.extraOf(version, observed, memory);
      },
    },
  },
  {
    id: 'values-cut',
    title: 'Texts are cut to 50 characters on the way into the table',
    source: ['EVO-04', 'HSH-07'],
    contract: STRICT,
    leads: 'content',
    change: versionsBecome((versions) =>
      versions.map((version) => ({
        ...version,
        row: mapped(version.row, (cell, name) =>
          name === 'customer_segment' && typeof cell === 'string' ? cell.slice(0, 50) : cell,
        ),
      })),
    ),
  },
  {
    id: 'columns-swapped',
    title: 'Two tracked columns are inserted in the wrong order',
    source: ['STB-01'],
    contract: WIDE,
    leads: 'content',
    change: versionsBecome((versions) =>
      versions.map((version) => ({
        ...version,
        row: { ...version.row, a: version.row['b']!, b: version.row['a']! },
      })),
    ),
  },
  {
    id: 'flag-left-true',
    title: 'The close leaves the current flag as it is',
    source: ['seed 002: stamps valid_to, flips is_current', 'seed 004: sets _tech_is_current = false'],
    contract: STRICT,
    leads: 'current-flag',
    change: flags(() => true),
  },
  {
    id: 'flag-never-set',
    title: 'The current flag is never set',
    source: ['seed 001: valid_to IS NULL and is_current = true'],
    contract: STRICT,
    leads: 'current-flag',
    change: flags(() => false),
  },
  {
    id: 'flag-null',
    title: 'The close makes the current flag NULL',
    source: ['seed 002: flips is_current'],
    contract: STRICT,
    leads: 'current-flag',
    change: flags(({ to }) => (to === null ? true : null)),
  },
  {
    id: 'flag-of-latest',
    title: 'The latest version is current, also of a key that is gone',
    source: ['seed 004: deletion sets _tech_is_current = false', 'ASO-06'],
    contract: STRICT,
    leads: 'current-flag',
    change: {
      shape: (versions, observed, memory) => {
        const made = RIGHT.shape(versions, observed, memory);
        memory.own.set(`latest ${made[0]?.key}`, made.at(-1)?.from);
        return made;
      },
      write: (version, memory) => ({
        ...RIGHT.write(version, memory),
        is_current: memory.own.get(`latest ${version.key}`) === version.from,
      }),
    },
  },
  {
    id: 'surrogate-of-key',
    title: 'The surrogate key is made of the natural key alone, so all its versions share it',
    source: ['VID-01', 'VID-03'],
    contract: WIDE,
    leads: 'surrogate-key-unique',
    change: {
      write: (version, memory) =>
        RIGHT.write(version, {
          ...memory,
          surrogates: new Map(
            [...memory.said.keys()].map((key, at) => [versionId({ ...version, key }), at + 1]),
          ),
        }),
    },
  },
  {
    id: 'surrogates-renumbered',
    title: 'Surrogate keys are numbered anew with each load',
    source: ['seed 003: INSERT OVERWRITE … ROW_NUMBER() OVER (ORDER BY id NULLS LAST)', 'IDM-04'],
    contract: WIDE,
    leads: 'surrogate-key-stable',
    change: {
      table: (rows) => [...rows].reverse().map((row, at) => ({ ...row, sk: BigInt(at + 1) })),
    },
  },
  {
    id: 'column-dropped',
    title: 'From the third load on the current flag is not in the table any more',
    source: ['EVO-03', 'IDN-04'],
    contract: STRICT,
    leads: 'schema-kept',
    change: {
      columns: (contract, memory) =>
        RIGHT.columns(contract, memory).filter(({ name }) => name !== 'is_current' || memory.applied < 3),
    },
  },
  {
    id: 'column-emptied',
    title: 'From the second load on the hash is not filled any more',
    source: ['EVO-01', 'EVO-03'],
    contract: WIDE,
    leads: 'schema-kept',
    change: {
      write: (version, memory) => ({
        ...RIGHT.write(version, memory),
        ...(memory.applied > 1 ? { row_hash: null } : {}),
      }),
    },
  },
];

function flags(flag: (version: Version) => boolean | null): Partial<Rules> {
  return {
    write: (version, memory) => ({ ...RIGHT.write(version, memory), is_current: flag(version) }),
  };
}

/** NULL of a version that the next one ended becomes what that one has. */
function filled(
  versions: readonly Version[],
  columns: readonly { readonly name: string }[],
): readonly Version[] {
  return versions.map((version, at) => {
    const next = versions[at + 1];
    if (next === undefined || next.from !== version.to) return version;
    const cells = columns.map(({ name }) => [name, version.row[name] ?? next.row[name] ?? null]);
    return { ...version, row: { ...version.row, ...Object.fromEntries(cells) } };
  });
}

function mapped(row: Row, change: (cell: Row[string], name: string) => Row[string]): Row {
  return Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, change(cell, name)]));
}

function versionId({ key, state, from, isMarker }: Version): string {
  return `${isMarker} ${from} ${JSON.stringify([key, state])}`;
}
