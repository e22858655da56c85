import type { Judge } from '../checks/judge.ts';
import { type Contract, type Decision, type Field, FOLDINGS, OPTIONS } from '../contract/contract.ts';
import { formatDate, formatInstant } from '../contract/instant.ts';
import { FIELDS_OF_VERSIONS, hasVersions } from '../contract/types.ts';

/** One option of one field that might explain what an implementation does. */
export interface Candidate {
  readonly decision: Decision;
  readonly apply: (contract: Contract) => Contract;
}

/** Fields that say more of another one's option, and nothing without it. */
const COMPANIONS = [
  { of: 'firstStart', field: 'firstStartScope' },
  { of: 'late', field: 'lateScope' },
] as const satisfies readonly { readonly of: Field; readonly field: keyof typeof OPTIONS }[];

/** In the order of preference where two explain the same. */
const EXPLAINING: readonly (keyof typeof OPTIONS)[] = [
  'end',
  'historyHolds',
  'deletes',
  'late',
  'lateEvidence',
  'lateScope',
  'firstStartScope',
  'reappearance',
  'emptySnapshot',
  'changeBy',
  'sameInstant',
  'duplicates',
  'batchStates',
  'nullKey',
  'grain',
  'untracked',
  'feed',
];

/**
 * What might explain a difference: every option that could be told from the contract's own by what was sent, literals that the dimension itself
 * shows included; and options together with what another field says of them, since one of the two alone may explain nothing.
 */
export async function candidates(
  judge: Judge,
  contract: Contract,
): Promise<readonly (readonly Candidate[])[]> {
  const single = await singleCandidates(judge, contract);
  const pairs = COMPANIONS.flatMap(({ of, field }) =>
    single
      .filter(({ decision }) => decision.field === of)
      .flatMap((first) => {
        const applied = first.apply(contract);
        const options: readonly string[] = OPTIONS[field].options;
        return options
          .filter((option) => option !== contract[field] && !isSenseless(applied, field, option))
          .map((option) => [first, candidate(field, option, { [field]: option })]);
      }),
  );
  // Alone first: where one explains as much as two, it is the one.
  return [...single.map((one) => [one]), ...pairs];
}

function candidate(field: Field, option: string, change: Partial<Contract>): Candidate {
  return { decision: { field, option }, apply: (current) => ({ ...current, ...change }) };
}

async function singleCandidates(judge: Judge, contract: Contract): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  const add = (field: Field, option: string, change: Partial<Contract>) =>
    found.push(candidate(field, option, change));
  for (const { field, option } of await literals(judge, contract)) add(field, option, { [field]: option });
  if (contract.clock === 'injected') add('clock', 'wall', { clock: 'wall' });
  for (const field of EXPLAINING) {
    // What was seen of a coarse grain is often what a finer one would show too; the finer one would show more.
    const options: readonly string[] =
      field === 'grain' ? OPTIONS.grain.options.toReversed() : OPTIONS[field].options;
    for (const option of options) {
      if (option === contract[field] || option === 'never' || isSenseless(contract, field, option)) continue;
      add(field, option, { [field]: option });
    }
  }
  for (const folding of FOLDINGS) {
    for (const field of ['compare', 'keyCompare'] as const) {
      const declared = contract[field];
      if (declared.includes(folding)) continue;
      add(field, folding, { [field]: FOLDINGS.filter((one) => one === folding || declared.includes(one)) });
    }
  }
  return found;
}

/** Options that cannot be told apart here, need what is not there, or contradict another field. */
function isSenseless(contract: Contract, field: keyof typeof OPTIONS, option: string): boolean {
  if (option === 'any') return field !== 'untracked';
  if (!hasVersions(contract) && FIELDS_OF_VERSIONS.has(field)) return true;
  switch (field) {
    case 'deletes':
      return (
        option === 'marker-row' && (contract.columns.isDeleted === null || contract.reappearance === 'bridge')
      );
    case 'historyHolds':
      return contract.type !== '4';
    case 'reappearance':
      return option === 'bridge' && contract.deletes === 'marker-row';
    case 'changeBy':
      return option === 'row-time' && contract.feed !== 'changes' && contract.stamp !== 'row-time';
    case 'emptySnapshot':
      return contract.feed !== 'snapshot';
    case 'batchStates':
      return contract.feed !== 'changes';
    case 'feed':
      return option === 'changes' || contract.feed === 'changes' || contract.columns.partition !== null;
    case 'firstStartScope':
      return contract.firstStart === 'observed';
    case 'lateScope':
      return contract.late !== 'ignore' && contract.late !== 'reject';
    default:
      return false;
  }
}

/** An open marker and a first start that the dimension itself shows, and columns that a first start might be in. */
async function literals(judge: Judge, contract: Contract): Promise<readonly Decision[]> {
  const farAway = 2_145_916_800_000_000n; // 2038-01-01
  const [marker] = await judge.db.rows<{ value: bigint | null }>(
    `SELECT mode(to_us) AS value FROM held_values WHERE to_us > ${farAway} AND to_us < 8000000000000000000`,
  );
  const [start] = await judge.db.rows<{ value: bigint | null }>(
    // What one feed never said may be an instant of another.
    `SELECT from_us AS value FROM held_values h
    WHERE NOT EXISTS (FROM load_values l WHERE l.feed = h.feed AND l.as_of = h.from_us)
    GROUP BY from_us ORDER BY count(DISTINCT feed) DESC, from_us LIMIT 1`,
  );
  const found: Decision[] = [];
  if (contract.openMarker === 'null' && marker?.value != null)
    found.push({ field: 'openMarker', option: literal(marker.value) });
  if (contract.firstStart !== 'observed' || !hasVersions(contract)) return found;
  const { tracked, untracked } = contract.columns;
  for (const { name, type } of [...tracked, ...untracked])
    if (type === 'timestamp' || type === 'date') found.push({ field: 'firstStart', option: name });
  if (start?.value != null) found.push({ field: 'firstStart', option: literal(start.value) });
  return found;
}

function literal(micros: bigint): string {
  return micros % 86_400_000_000n === 0n ? formatDate(micros) : formatInstant(micros);
}
