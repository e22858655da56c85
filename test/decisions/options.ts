import type { Row } from '../../src/contract/columns.ts';
import type { Field } from '../../src/contract/contract.ts';
import { everSaid, type Memory, RIGHT, type Rules, type Saying } from '../mutants/base.ts';
import type { Declaration } from '../mutants/mutant.ts';

/**
 * A correct implementation of one option of one field: what it declares beside the columns of the batch, and the rules in which it differs
 * from the base. Where an option leaves something open (`any`, `one`), the rules take what no other option would.
 */
export interface OneOption {
  readonly field: Field;
  readonly option: string;
  /** All its decisions, that one among them. */
  readonly decisions: Declaration;
  /** Columns of the batch and the dimension that it has beside the usual ones. */
  readonly roles: Declaration;
  readonly rules: Rules;
  /**
   * What it does with input that its contract excludes, or where two options ask for the same, as `probe` sees it: its own option unless
   * said otherwise. Null is "not observable".
   */
  readonly seen: string | null;
  /** Other fields of which it shows something of its own, because it takes what is least wherever several rows compete. */
  readonly mayShow: readonly Field[];
}

const CHANGED: Declaration = { changedAt: 'changed_at TIMESTAMP not null' };
const EVENTS: Declaration = { ...CHANGED, operation: 'op', sequence: 'seq BIGINT' };
const OPERATION: Declaration = { operation: 'op' };
const SEQUENCE: Declaration = { sequence: 'seq BIGINT' };
const OPENED: Declaration = { untracked: ['street', 'opened_at TIMESTAMP'] };

interface Extra {
  readonly with?: Declaration;
  readonly roles?: Declaration;
  readonly change?: Partial<Rules>;
  readonly seen?: string | null;
  readonly mayShow?: readonly Field[];
}

function one(field: Field, option: string, extra: Extra = {}): OneOption {
  return {
    field,
    option,
    decisions: { ...extra.with, [field]: option },
    roles: extra.roles ?? {},
    rules: { ...RIGHT, ...extra.change },
    seen: extra.seen === undefined ? option : extra.seen,
    mayShow: extra.mayShow ?? [],
  };
}

const smallest = <T>(items: readonly T[], text: (item: T) => string): T =>
  items.reduce((least, item) => (text(item) < text(least) ? item : least));

/** Of what one load says of a key and an instant, the state that is least as text. */
function settleLeast(sayings: readonly Saying[], memory: Memory): readonly Saying[] {
  const places = [...new Set(sayings.map(({ at }) => at))];
  return RIGHT.settle(
    places.map((at) =>
      smallest(
        sayings.filter((one) => one.at === at),
        rowText,
      ),
    ),
    memory,
  );
}

/** Of what loads say of an instant, the state that is least as text. */
function observeLeast(key: string, memory: Memory): readonly Saying[] {
  const said = everSaid(key, memory);
  const places = [...new Set(said.map(({ at }) => at))].sort((a, b) => (a < b ? -1 : 1));
  return places.map((at) =>
    smallest(
      said.filter((one) => one.at === at),
      rowText,
    ),
  );
}

function rowText({ row }: Saying): string {
  return row === null ? '' : JSON.stringify(Object.entries(row).map(([name, cell]) => `${name} ${cell}`));
}

const refuseDiffering: Partial<Rules> = {
  // Equal rows count once; of differing ones it makes a mess, which its contract allows.
  table: (rows, memory, load) => {
    const differ = load.sayings.some((one) =>
      load.sayings.some((other) => other.key === one.key && other.at === one.at && other.state !== one.state),
    );
    return differ ? [...rows, ...rows] : RIGHT.table(rows, memory, load);
  },
};

/** Which value is kept while a version holds is nobody's business: here the one that is least as text. */
const anyExtra: Partial<Rules> = {
  extraOf: (version, observed) => {
    const own = observed.filter(
      ({ row, at }) => row !== null && at >= version.from && (version.to === null || at < version.to),
    );
    return own.length === 0 ? version.row : smallest(own, ({ row }) => String((row as Row)['street'])).row!;
  },
};

/** One for each option of each field that this version judges, but `clock: moved` and `clock: wall`, which need an engine. */
export const ONE_OF_EACH: readonly OneOption[] = [
  one('type', '2'),
  one('type', '1'),
  one('type', '3'),
  one('type', '4'),
  one('type', '6'),
  one('historyHolds', 'all', { with: { type: '4' } }),
  one('historyHolds', 'past', { with: { type: '4' } }),
  one('feed', 'snapshot'),
  one('feed', 'delta', { roles: OPERATION }),
  one('feed', 'changes', { roles: EVENTS }),
  one('stamp', 'as-of', { roles: CHANGED }),
  one('stamp', 'row-time', { roles: CHANGED }),
  one('changeBy', 'value', { with: { stamp: 'row-time' }, roles: CHANGED }),
  one('changeBy', 'row-time', { with: { stamp: 'row-time' }, roles: CHANGED }),
  one('clock', 'injected'),
  one('grain', 'microsecond'),
  one('grain', 'millisecond'),
  one('grain', 'second'),
  one('grain', 'day'),
  one('end', 'exclusive'),
  one('end', 'inclusive'),
  one('openMarker', 'null'),
  one('openMarker', '9999-12-31'),
  one('firstStart', 'observed'),
  one('firstStart', '1970-01-01'),
  one('firstStart', 'opened_at', { roles: OPENED }),
  one('firstStartScope', 'every-key', { with: { firstStart: '1970-01-01' } }),
  one('firstStartScope', 'first-load', { with: { firstStart: '1970-01-01' } }),
  one('deletes', 'close'),
  one('deletes', 'ignore'),
  one('deletes', 'marker-row', { roles: { isDeleted: 'is_deleted' } }),
  one('deletes', 'never', { seen: 'close' }),
  one('reappearance', 'gap'),
  one('reappearance', 'bridge'),
  one('late', 'apply'),
  one('late', 'ignore'),
  one('late', 'reject'),
  one('late', 'never', { seen: 'apply' }),
  one('lateScope', 'batch', { with: { late: 'ignore' } }),
  one('lateScope', 'key', { with: { late: 'ignore' } }),
  one('lateScope', 'key', { with: { late: 'reject' } }),
  one('lateEvidence', 'log'),
  one('lateEvidence', 'dimension'),
  one('sameInstant', 'never', { seen: 'last' }),
  one('sameInstant', 'last'),
  one('sameInstant', 'first'),
  one('sameInstant', 'any', { change: { observe: observeLeast } }),
  one('sameInstant', 'reject'),
  one('duplicates', 'never', { seen: 'last', roles: SEQUENCE }),
  one('duplicates', 'equal', { change: refuseDiffering }),
  one('duplicates', 'any', { change: { settle: settleLeast } }),
  one('duplicates', 'last', { roles: SEQUENCE }),
  one('duplicates', 'first', { roles: SEQUENCE }),
  one('duplicates', 'reject'),
  one('batchStates', 'all', { with: { feed: 'changes' }, roles: EVENTS }),
  one('batchStates', 'latest', { with: { feed: 'changes' }, roles: EVENTS }),
  one('batchStates', 'one', {
    with: { feed: 'changes' },
    roles: EVENTS,
    change: { settle: (sayings, memory) => RIGHT.settle([smallest(sayings, rowText)], memory) },
    mayShow: ['duplicates'],
  }),
  one('nullKey', 'never', { seen: 'value' }),
  one('nullKey', 'reject'),
  one('nullKey', 'skip'),
  one('nullKey', 'value'),
  one('emptySnapshot', 'close-all'),
  one('emptySnapshot', 'reject'),
  one('emptySnapshot', 'ignore'),
  one('compare', 'sql'),
  one('compare', 'case-insensitive'),
  one('compare', 'trim'),
  one('compare', 'empty-is-null'),
  one('keyCompare', 'sql'),
  one('keyCompare', 'case-insensitive'),
  one('keyCompare', 'trim'),
  one('keyCompare', 'empty-is-null', { with: { nullKey: 'value' } }),
  one('untracked', 'any', { change: anyExtra }),
  one('untracked', 'current'),
  one('untracked', 'all'),
  one('untracked', 'frozen'),
  // Only the script of an engine shows whose transaction it is.
  one('transaction', 'script', { seen: null }),
  one('transaction', 'caller', { seen: null }),
];
