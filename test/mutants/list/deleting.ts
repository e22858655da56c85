import { RIGHT } from '../base.ts';
import { CHANGES, DELTA, IGNORING, MARKED, STRICT } from '../contracts.ts';
import type { Mutant } from '../mutant.ts';
import { merged, versionsBecome } from './rows.ts';

/** Keys that go, and keys that come back. */

export const DELETING: readonly Mutant[] = [
  {
    id: 'delete-ignored',
    title: 'A key that is missing from the snapshot stays open',
    source: ['DEL-06', 'seed 004: deleted'],
    contract: STRICT,
    leads: 'open-count',
    change: { take: (load) => ({ ...load, isWhole: false }) },
  },
  {
    id: 'delete-row-ignored',
    title: 'Rows that say a key was deleted are dropped',
    source: ['DEL-06'],
    contract: CHANGES,
    leads: 'open-count',
    change: { isSkipped: (row, contract) => RIGHT.isDelete(row, contract) },
  },
  {
    id: 'delete-row-as-update',
    title: 'Rows that say a key was deleted are taken for updates',
    source: ['DEL-06'],
    contract: DELTA,
    leads: 'open-count',
    change: { isDelete: () => false },
  },
  {
    id: 'hard-delete-open',
    title: 'A delete removes the open version instead of closing it',
    source: ['seed 004: a hard delete orphans every historical fact row'],
    contract: STRICT,
    leads: 'version-count',
    change: versionsBecome((versions) => versions.filter(({ endsGone }) => !endsGone)),
  },
  {
    id: 'hard-delete-all',
    title: 'A delete removes the whole history of its key',
    source: ['seed 004: a hard delete orphans every historical fact row'],
    contract: STRICT,
    leads: 'version-count',
    change: versionsBecome((versions) => {
      const last = versions.findLastIndex(({ endsGone }) => endsGone);
      return versions.slice(last + 1);
    }),
  },
  {
    id: 'never-reinstated',
    title: 'A key that comes back has no open version to compare with, and gets none',
    source: ['DEL-01'],
    contract: STRICT,
    leads: 'open-count',
    change: versionsBecome((versions) => versions.filter(({ afterGone }, at) => at === 0 || !afterGone)),
  },
  {
    id: 'never-reinstated-unchanged',
    title: 'A key that comes back unchanged is not inserted, because its hash is there',
    source: ['ABA-04'],
    contract: STRICT,
    leads: 'open-count',
    change: versionsBecome((versions) =>
      versions.filter(({ afterGone, state }, at) => !(afterGone && versions[at - 1]?.state === state)),
    ),
  },
  {
    id: 'gap-filled',
    title: 'A key that comes back gets the time of its absence too',
    source: ['DEL-01'],
    contract: STRICT,
    leads: 'no-repeat',
    change: {
      shape: (versions, observed, memory) =>
        RIGHT.shape(versions, observed, {
          ...memory,
          contract: { ...memory.contract, reappearance: 'bridge' },
        }),
    },
  },
  {
    id: 'reopened-in-place',
    title: 'The closed version of a key that comes back unchanged is opened again',
    source: ['DEL-01', 'ABA-04'],
    contract: STRICT,
    leads: 'closed-stays-closed',
    change: versionsBecome((versions) =>
      merged(versions, (before, version) => version.afterGone && before.state === version.state),
    ),
  },
  {
    id: 'unchanged-closed',
    title: 'The stage holds only what changed, and what it does not hold is closed as deleted',
    source: ['DEL-04'],
    contract: STRICT,
    leads: 'open-count',
    change: {
      observe: (key, memory) => {
        const all = RIGHT.observe(key, memory);
        return all.map((said, at) =>
          said.row !== null && all[at - 1]?.state === said.state ? { ...said, row: null, state: '' } : said,
        );
      },
    },
  },
  {
    id: 'unmentioned-closed',
    title: 'Every key that a delta does not mention is closed',
    source: ['DEL-04', 'HSH-01'],
    contract: DELTA,
    leads: 'untouched-keys',
    change: { take: (load) => ({ ...load, isWhole: true }) },
  },
  {
    id: 'empty-closes-all',
    title: 'A snapshot without rows closes everything, where the contract ignores it',
    source: ['DEL-07'],
    contract: IGNORING,
    leads: 'untouched-keys',
    change: {
      refusal: (load, memory) => {
        if (load.rows.length > 0 || (memory.latest !== null && load.asOf < memory.latest)) return null;
        memory.loads.push(load);
        return null;
      },
    },
  },
  {
    id: 'marker-missing',
    title: 'A delete closes the version and keeps no marker row',
    source: ['DEL-03'],
    contract: MARKED,
    leads: 'version-count',
    change: versionsBecome((versions) => versions.filter(({ isMarker }) => !isMarker)),
  },
  {
    id: 'marker-stays-open',
    title: 'The marker row of a deleted key is not closed when the key comes back',
    source: ['DEL-03'],
    contract: MARKED,
    leads: 'one-open-version',
    change: versionsBecome((versions) =>
      versions.map((version) => (version.isMarker ? { ...version, to: null } : version)),
    ),
  },
  {
    id: 'marker-without-attributes',
    title: 'A marker row has NULL in its attributes',
    source: ['DEL-03'],
    contract: MARKED,
    leads: 'content',
    change: {
      write: (version, memory) => {
        const row = RIGHT.write(version, memory);
        if (!version.isMarker) return row;
        const { tracked } = memory.contract.columns;
        return { ...row, ...Object.fromEntries(tracked.map(({ name }) => [name, null])) };
      },
    },
  },
  {
    id: 'marker-not-flagged',
    title: 'A marker row is not marked, and so reads like a version',
    source: ['DEL-03', 'VID-01'],
    contract: MARKED,
    leads: 'no-repeat',
    change: {
      write: (version, memory) => RIGHT.write({ ...version, isMarker: false }, memory),
    },
  },
];
