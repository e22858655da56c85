import { RIGHT, type Rules, type Version } from '../base.ts';
import { SECONDS, STRICT, TIES, WAREHOUSE } from '../contracts.ts';
import type { Mutant } from '../mutant.ts';
import { rowsBecome, versionsBecome } from './rows.ts';

/** Where versions start and end. */

const SECOND = 1_000_000n;
const HOUR = 3600n * SECOND;
const DAY = 24n * HOUR;

function endsBecome(change: (to: bigint, version: Version) => bigint): Partial<Rules> {
  return versionsBecome((versions) =>
    versions.map((version) =>
      version.to === null ? version : { ...version, to: change(version.to, version) },
    ),
  );
}

/** Both stamps of a row, changed on the way into the table. */
function stampsBecome(change: (micros: bigint) => bigint): Partial<Rules> {
  return versionsBecome((versions) =>
    versions.map((version) => ({
      ...version,
      from: change(version.from),
      to: version.to === null ? null : change(version.to),
    })),
  );
}

function now(): bigint {
  return BigInt(Date.now()) * 1000n;
}

export const STAMPING: readonly Mutant[] = [
  {
    id: 'inclusive-end',
    title: 'A version ends a microsecond before the next begins',
    source: ['seed 004: an inclusive _tech_valid_to', 'ASO-01'],
    contract: STRICT,
    leads: 'exclusive-end',
    change: endsBecome((to) => to - 1n),
  },
  {
    id: 'exclusive-second',
    title: 'A version ends in the second in which the next begins, where ends are declared inclusive',
    source: ['seed 004: an inclusive _tech_valid_to', 'ASO-01'],
    contract: SECONDS,
    leads: 'exclusive-end',
    change: endsBecome((to) => to + SECOND),
  },
  {
    id: 'exclusive-day',
    title: 'A version ends on the day on which the next begins, where ends are declared inclusive',
    source: ['seed 004: an inclusive _tech_valid_to', 'ASO-01'],
    contract: WAREHOUSE,
    leads: 'exclusive-end',
    // `exclusive-end` passes over ends at an instant that the feed has yet to bring.
    mayLead: ['clock-injected'],
    change: endsBecome((to) => to + DAY),
  },
  {
    id: 'day-clock',
    title: 'Stamps are dates: two loads of a day make a version of zero length, and every start is too early',
    source: ['seed 004: zero-length intervals from a DATE-granularity clock', 'INS-01'],
    contract: STRICT,
    leads: 'content',
    change: stampsBecome((micros) => micros - (micros % DAY)),
  },
  {
    id: 'seconds-cut',
    title: 'Stamps are cut to seconds',
    source: ['PRC-01', 'DUP-07'],
    contract: STRICT,
    leads: 'content',
    change: stampsBecome((micros) => micros - (micros % SECOND)),
  },
  {
    id: 'milliseconds-cut',
    title: 'Stamps lose their microseconds',
    source: ['PRC-01'],
    contract: STRICT,
    leads: 'content',
    change: stampsBecome((micros) => micros - (micros % 1000n)),
  },
  {
    id: 'seconds-rounded-up',
    title: 'Stamps are rounded up to whole seconds',
    source: ['ASO-04'],
    contract: STRICT,
    leads: 'clock-injected',
    change: stampsBecome((micros) => ((micros + SECOND - 1n) / SECOND) * SECOND),
  },
  {
    id: 'wall-clock',
    title: 'Versions are stamped with the clock of the machine',
    source: ['TIM-10', 'seed 004: current_timestamp() called inside a transform', 'seed 002: current_date()'],
    contract: STRICT,
    leads: 'clock-injected',
    change: {
      take: (load, memory) => {
        const before = memory.own.get('now') as bigint | undefined;
        const at = before === undefined || now() > before ? now() : before + 1000n;
        memory.own.set('now', at);
        return {
          ...RIGHT.take(load, memory),
          asOf: at,
          sayings: load.sayings.map((said) => ({ ...said, at })),
        };
      },
    },
  },
  {
    id: 'clock-again-on-delete',
    title: 'A delete reads the clock again, a moment after the load began',
    source: ['TIM-01'],
    contract: STRICT,
    leads: 'clock-injected',
    change: versionsBecome((versions) =>
      versions.map((version) => (version.endsGone ? { ...version, to: version.to! + 1500n } : version)),
    ),
  },
  {
    id: 'delete-in-session-zone',
    title: 'Deletes are stamped in the zone of the session, updates in UTC',
    source: ['TIM-06', 'TIM-07'],
    contract: STRICT,
    leads: 'clock-injected',
    change: versionsBecome((versions) =>
      versions.map((version) => (version.endsGone ? { ...version, to: version.to! + 5n * HOUR } : version)),
    ),
  },
  {
    id: 'ends-a-second-later',
    title: 'A version ends a second after the next begins',
    source: ['TIM-04'],
    contract: STRICT,
    leads: 'clock-injected',
    change: versionsBecome((versions) =>
      versions.map((version) =>
        version.to === null || version.endsGone ? version : { ...version, to: version.to + SECOND },
      ),
    ),
  },
  {
    id: 'starts-a-second-later',
    title: 'A version starts a second after the one before it ended',
    source: ['TIM-04'],
    contract: STRICT,
    leads: 'contiguous',
    change: versionsBecome((versions) =>
      versions.map((version, at) =>
        at > 0 && versions[at - 1]!.to === version.from
          ? { ...version, from: version.from + SECOND }
          : version,
      ),
    ),
  },
  {
    id: 'ends-at-own-start',
    title: 'A closed version gets its own start as its end',
    source: ['TIM-09'],
    contract: STRICT,
    leads: 'bounds-valid',
    change: endsBecome((_, { from }) => from),
  },
  {
    id: 'instant-reused',
    title: 'The instant of the first load stamps all later ones',
    source: ['TIM-12'],
    contract: STRICT,
    leads: 'bounds-valid',
    change: {
      shape: (versions, observed, memory) => {
        const first = memory.loads[0]!.asOf;
        return RIGHT.shape(versions, observed, memory).map((version) => ({
          ...version,
          from: first,
          to: version.to === null ? null : first,
        }));
      },
    },
  },
  {
    id: 'delete-at-last-seen',
    title: 'A deleted key is closed when it was last seen, and not when it was missed',
    source: ['TIM-01', 'seed 004: deletion closes the interval'],
    contract: STRICT,
    leads: 'bounds-valid',
    change: {
      shape: (versions, observed, memory) =>
        RIGHT.shape(versions, observed, memory).map((version) => {
          if (!version.endsGone) return version;
          const seen = observed.filter(({ row, at }) => row !== null && at < version.to!);
          return { ...version, to: seen.at(-1)!.at };
        }),
    },
  },
  {
    id: 'zero-length-kept',
    title: 'A second load of an instant closes the version of the first at once, and keeps it',
    source: ['INS-01', 'seed 004: twice-one-day'],
    contract: TIES,
    leads: 'bounds-valid',
    change: {
      observe: (key, memory) => {
        const all = memory.said.get(key) ?? [];
        const right = RIGHT.observe(key, memory);
        const others = all.filter(
          (said) => right.some(({ at, load }) => at === said.at && load > said.load) && said.row !== null,
        );
        return [...others, ...right].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.load - b.load));
      },
    },
  },
  {
    id: 'first-of-two-loads',
    title: 'Of two loads of an instant the first wins, where the last should',
    source: ['DUP-07', 'INS-03'],
    contract: TIES,
    leads: 'version-count',
    mayLead: ['content'],
    change: {
      observe: (key, memory) =>
        RIGHT.observe(key, { ...memory, contract: { ...memory.contract, sameInstant: 'first' } }),
    },
  },
  {
    id: 'first-start-observed',
    title: 'The first version starts when it was first seen, and not at the beginning of time',
    source: ['TIM-13'],
    contract: WAREHOUSE,
    leads: 'content',
    change: {
      shape: (versions, observed, memory) =>
        RIGHT.shape(versions, observed, {
          ...memory,
          contract: { ...memory.contract, firstStart: 'observed' },
        }),
    },
  },
  {
    id: 'null-for-open',
    title: 'An open version ends in NULL, where a far day is declared',
    source: ['SEN-01', 'SEN-04'],
    contract: WAREHOUSE,
    leads: 'bounds-valid',
    change: rowsBecome((row, { columns }) =>
      row[columns.isCurrent!.name] === true ? { ...row, [columns.validTo!.name]: null } : row,
    ),
  },
  {
    id: 'never-closed',
    title: 'The close looks for NULL, and open versions end on a far day: none is ever closed',
    source: ['SEN-01', 'SEN-03'],
    contract: WAREHOUSE,
    leads: 'one-open-version',
    change: versionsBecome((versions) =>
      versions.map((version, at) => (at < versions.length - 1 ? { ...version, to: null } : version)),
    ),
  },
  {
    id: 'born-closed',
    title: 'New versions are born closed, by a few microseconds',
    source: ['TIM-03'],
    contract: STRICT,
    leads: 'clock-injected',
    change: versionsBecome((versions) =>
      versions.map((version) => (version.to === null ? { ...version, to: version.from + 3n } : version)),
    ),
  },
  {
    id: 'start-missing',
    title: 'A version that follows another has no start',
    source: ['ASO-03', 'NUL-03'],
    contract: STRICT,
    leads: 'bounds-valid',
    change: {
      write: (version, memory) => ({
        ...RIGHT.write(version, memory),
        ...(memory.applied > 0 && version.from === memory.loads.at(-1)!.asOf
          ? { [memory.contract.columns.validFrom.name]: null }
          : {}),
      }),
    },
  },
];
