import { RIGHT } from '../base.ts';
import { CHANGES, STRICT, TIES, WIDE } from '../contracts.ts';
import type { Mutant } from '../mutant.ts';
import { versionsBecome } from './rows.ts';

/** What a load holds as a whole: several rows of a key, many rows, odd rows. */

export const LOADING: readonly Mutant[] = [
  {
    id: 'equal-rows-inserted-twice',
    title: 'Two equal rows of a key in a load are both inserted',
    source: ['DUP-03', 'DUP-09', 'VID-03', 'IDM-01'],
    contract: TIES,
    leads: 'unique-start',
    change: {
      shape: (versions, observed, memory) => {
        const last = memory.loads.at(-1);
        return RIGHT.shape(versions, observed, memory).flatMap((version) => {
          const equal = last?.sayings.filter(
            ({ key, at, state }) => key === version.key && at === version.from && state === version.state,
          );
          return (equal?.length ?? 0) > 1 && version.to === null ? [version, version] : [version];
        });
      },
    },
  },
  {
    id: 'loaded-again-inserted-again',
    title: 'A load that is delivered again inserts its new versions again',
    source: ['IDM-01', 'IDM-04', 'ATM-03', 'ATM-01'],
    contract: STRICT,
    leads: 'unique-start',
    change: {
      shape: (versions, observed, memory) => {
        const again = memory.loads.filter(
          ({ asOf }, at) => memory.loads.findIndex((one) => one.asOf === asOf) < at,
        );
        return RIGHT.shape(versions, observed, memory).flatMap((version) =>
          version.to === null && again.some(({ asOf }) => asOf === version.from)
            ? [version, version]
            : [version],
        );
      },
    },
  },
  {
    id: 'first-of-two-rows',
    title: 'Of two rows of a key and instant the first wins, where the sequence should decide',
    source: ['DUP-06', 'DUP-07'],
    contract: CHANGES,
    leads: 'open-count',
    // A deletion beside a row changes what is open; of two states, the wrong one makes a version too many or too few, or just a wrong one.
    mayLead: ['version-count', 'content'],
    change: {
      settle: (sayings, memory) =>
        RIGHT.settle(sayings, { ...memory, contract: { ...memory.contract, duplicates: 'first' } }),
    },
  },
  {
    id: 'one-change-a-load',
    title: 'Of several changes of a key in a load only the last is used',
    source: ['DUP-01', 'seed 001: use one change per cust_key'],
    contract: CHANGES,
    leads: 'version-count',
    change: {
      settle: (sayings, memory) =>
        RIGHT.settle(sayings, { ...memory, contract: { ...memory.contract, batchStates: 'latest' } }),
    },
  },
  {
    id: 'load-time-for-changes',
    title: 'Changes are stamped with the instant of their load',
    source: ['DUP-01', 'TIM-10'],
    contract: CHANGES,
    leads: 'content',
    change: { instantOf: (_, asOf) => asOf },
  },
  {
    id: 'changes-in-row-order',
    title: 'Changes of a key are taken in the order of the rows, and not of their instants',
    source: ['DUP-06', 'LAT-06'],
    contract: CHANGES,
    leads: 'bounds-valid',
    change: {
      settle: (sayings) => sayings,
      observe: (key, memory) => memory.said.get(key) ?? [],
    },
  },
  {
    id: 'beyond-a-thousand',
    title: 'Rows beyond the first thousand of a load are lost',
    source: ['INS-03', 'design: over a thousand rows in a batch'],
    contract: CHANGES,
    leads: 'open-count',
    isLarge: true,
    change: { take: (load, memory) => RIGHT.take({ ...load, sayings: load.sayings.slice(0, 1000) }, memory) },
  },
  {
    id: 'refuses-the-third-load',
    title: 'The third load is refused',
    source: ['HSH-07', 'IDN-03', 'EVO-04'],
    contract: STRICT,
    leads: 'accepts-legal-input',
    change: {
      refusal: (load, memory) =>
        memory.applied === 2 ? 'it was applied before' : RIGHT.refusal(load, memory),
    },
  },
  {
    id: 'refuses-long-texts',
    title: 'A text of more than 50 characters makes the load fail',
    source: ['HSH-07', 'EVO-04'],
    contract: WIDE,
    leads: 'accepts-legal-input',
    change: {
      refusal: (load, memory) =>
        load.rows.some((row) =>
          Object.values(row).some((cell) => typeof cell === 'string' && cell.length > 50),
        )
          ? 'value too long for type character varying(50)'
          : RIGHT.refusal(load, memory),
    },
  },
  {
    id: 'refuses-empty-snapshot',
    title: 'A snapshot without rows makes the load fail',
    source: ['DEL-07', 'seed 004: deleted'],
    contract: STRICT,
    leads: 'accepts-legal-input',
    change: {
      refusal: (load, memory) => (load.rows.length === 0 ? 'division by zero' : RIGHT.refusal(load, memory)),
    },
  },
  {
    id: 'joined-with-two-rows',
    title: 'A join over the whole history instead of the open row doubles the new version',
    source: ['ASO-06', 'DUP-01'],
    contract: STRICT,
    leads: 'unique-start',
    change: versionsBecome((versions) => {
      const last = versions.at(-1);
      return versions.length > 2 && last?.to === null ? [...versions, last] : versions;
    }),
  },
];
