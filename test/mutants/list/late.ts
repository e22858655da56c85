import { everSaid, RIGHT, type Saying, type Version } from '../base.ts';
import { DELTA, IGNORING, REFUSING, STRICT } from '../contracts.ts';
import type { Mutant } from '../mutant.ts';
import { cameLate, versionsBecome } from './rows.ts';

/** What becomes of data that comes after later data. */

/** Without what came late. */
function inOrder(observed: readonly Saying[]): readonly Saying[] {
  return observed.filter((said) => !cameLate(said, observed));
}

/** The saying that begins a version. */
function opening({ from }: Version, observed: readonly Saying[]): Saying {
  return observed.find(({ at }) => at === from)!;
}

export const LATE: readonly Mutant[] = [
  {
    id: 'late-appended',
    title: 'A late load adds its versions, and does not cut those that they fall into',
    source: ['seed 004: late extracts appended instead of splitting the interval', 'LAT-03'],
    contract: STRICT,
    leads: 'no-overlap',
    change: versionsBecome((versions, { observed }) =>
      versions.map((version) => {
        if (version.to === null) return version;
        const end = inOrder(observed).find(({ at }) => at >= version.to!);
        return { ...version, to: end?.at ?? null };
      }),
    ),
  },
  {
    id: 'late-as-newest',
    title: 'Loads are taken in the order in which they arrive, whatever their instants say',
    source: ['LAT-01', 'seed 004: late-arrival'],
    contract: STRICT,
    leads: 'bounds-valid',
    change: { observe: (key, memory) => everSaid(key, memory) },
  },
  {
    id: 'late-lost',
    title: 'Late loads are dropped',
    source: ['LAT-01', 'seed 004: late-arrival'],
    contract: STRICT,
    leads: 'version-count',
    change: { observe: (key, memory) => inOrder(RIGHT.observe(key, memory)) },
  },
  {
    id: 'late-before-all-lost',
    title: 'What is late is taken only inside what is known: the first version never starts earlier',
    source: ['LAT-01', 'TIM-13'],
    contract: DELTA,
    leads: 'version-count',
    change: {
      observe: (key, memory) => {
        const all = RIGHT.observe(key, memory);
        return all.filter(
          (said) => all.some((old) => old.load < said.load && old.at < said.at) || said.load === first(all),
        );
      },
    },
  },
  {
    id: 'late-start-kept',
    title: 'A late load that shows the same state earlier does not move the start back',
    source: ['LAT-04'],
    contract: DELTA,
    leads: 'content',
    change: {
      observe: (key, memory) => {
        const all = RIGHT.observe(key, memory);
        return all.filter(
          (said, at) => !(cameLate(said, all) && all[at + 1]?.state === said.state && said.row !== null),
        );
      },
    },
  },
  {
    id: 'late-wrong-neighbour',
    title: 'A late row is compared with the version before the one that it falls into',
    source: ['LAT-04'],
    contract: DELTA,
    leads: 'version-count',
    mayLead: ['content'],
    change: {
      observe: (key, memory) => {
        const all = RIGHT.observe(key, memory);
        return all.filter(
          (said, at) =>
            !cameLate(said, all) ||
            all[at - 2]?.state !== said.state ||
            [said, all[at - 1]!, all[at - 2]!].some(({ row }) => row === null),
        );
      },
    },
  },
  {
    id: 'late-equal-versioned',
    title: 'A late row that changes nothing makes a version',
    source: ['DUP-04', 'LAT-04'],
    contract: DELTA,
    leads: 'no-repeat',
    change: {
      opens: (held, said, memory) =>
        RIGHT.opens(held, said, memory) || cameLate(said, RIGHT.observe(said.key, memory)),
    },
  },
  {
    id: 'late-delete-lost',
    title: 'A late delete is dropped',
    source: ['DEL-06', 'LAT-01'],
    contract: STRICT,
    leads: 'version-count',
    change: {
      observe: (key, memory) => {
        const all = RIGHT.observe(key, memory);
        return all.filter((said) => said.row !== null || !cameLate(said, all));
      },
    },
  },
  {
    id: 'late-key-open',
    title: 'A late row of a deleted key is taken for a new key: its version is open from its own instant',
    source: ['DEL-01', 'LAT-01'],
    contract: DELTA,
    leads: 'open-is-latest',
    change: versionsBecome((versions, { observed }) => {
      const [version, ...others] = versions;
      if (version === undefined || others.length === 0) return versions;
      const said = opening(version, observed);
      const known = observed.filter(({ load }) => load < said.load);
      return cameLate(said, observed) && known.at(-1)!.row === null && known.some(({ row }) => row !== null)
        ? [{ ...version, to: null }, ...others]
        : versions;
    }),
  },
  {
    id: 'late-reopens',
    title: 'The version that a late row begins stays open beside the one that is',
    source: ['LAT-03', 'DUP-01'],
    contract: STRICT,
    leads: 'one-open-version',
    change: versionsBecome((versions, { observed }) =>
      versions.at(-1)?.to === null
        ? versions.map((version) =>
            cameLate(opening(version, observed), observed) ? { ...version, to: null } : version,
          )
        : versions,
    ),
  },
  {
    id: 'late-evidence-lost',
    title: 'Only the dimension is kept: a repeat that changed nothing is forgotten when a late row needs it',
    source: ['LAT-06', 'design: lost evidence'],
    contract: STRICT,
    leads: 'open-count',
    change: { forgets: () => true },
  },
  {
    id: 'late-applied',
    title: 'Late rows are applied, where the contract ignores them',
    source: ['LAT-06'],
    contract: IGNORING,
    leads: 'untouched-keys',
    change: { take: (load) => load },
  },
  {
    id: 'refused-load-applied',
    title: 'What the contract refuses is applied',
    source: ['LAT-01', 'NKY-01'],
    contract: REFUSING,
    leads: 'rejects-cleanly',
    change: { refusal: () => null },
  },
  {
    id: 'half-of-a-refused-load',
    title: 'Half of a refused load is in the table when the error comes',
    source: ['ATM-03', 'seed 002: a half-finished update'],
    contract: REFUSING,
    leads: 'rejects-cleanly',
    change: {
      refusal: (load, memory) => {
        const reason = RIGHT.refusal(load, memory);
        if (reason !== null) memory.table = memory.table.slice(0, Math.floor(memory.table.length / 2));
        return reason;
      },
    },
  },
];

function first(all: readonly Saying[]): number {
  return Math.min(...all.map(({ load }) => load));
}
