import { type Check, type CheckWords, notOfType, type RepetitionCheck } from '../checks/check.ts';
import { type Column, ROLES } from '../contract/columns.ts';
import { type Contract, FOLDINGS, OPTIONS } from '../contract/contract.ts';
import { declareContract } from '../contract/declare.ts';
import type { ImplementationKind } from '../plugins/implementation.ts';

/** A contract that differs from `strict` in one thing, and how that one thing is written. */
export interface Variation {
  readonly field: string;
  /** `deletes: ignore`, or `a column for the role hash`. */
  readonly written: string;
  readonly contract: Contract;
}

/** `strict` on the columns that stand in where nobody declares some. */
export const STRICT_CONTRACT: Contract = declareContract([]).contract;

/** `strict`, of the first type that the check can be asked of. */
export function baseContract({ types = ['2'] }: Pick<CheckWords, 'types'>): Contract {
  return types.includes('2') ? STRICT_CONTRACT : contractOfType(types[0]!);
}

function contractOfType(type: string): Contract {
  return declareContract([[{ name: 'type', value: type, where: 'documentation' }]]).contract;
}

/** Roles that a contract of any type may do without, or with. */
const OPTIONAL_ROLES = ROLES.filter(
  (role) => !['key', 'tracked', 'validFrom', 'previous', 'current', 'inHistory'].includes(role),
);

/** Every contract that is one step away from another. What a check depends on is found by asking it about each. */
export function variations(base: Contract = STRICT_CONTRACT): readonly Variation[] {
  return [...fieldVariations(base), ...roleVariations(base)];
}

function fieldVariations(base: Contract): Variation[] {
  const vary = (field: string, option: string, value: unknown): Variation => ({
    field,
    written: `\`${field}: ${option}\``,
    contract: field === 'type' ? contractOfType(option) : { ...base, [field]: value },
  });
  const plain = Object.entries(OPTIONS).flatMap(([field, { options }]) =>
    options.slice(1).map((option) => vary(field, option, option)),
  );
  const foldings = (['compare', 'keyCompare'] as const).flatMap((field) =>
    FOLDINGS.map((folding) => vary(field, folding, [folding])),
  );
  return [...plain, vary('openMarker', '9999-12-31', '9999-12-31'), ...foldings];
}

function roleVariations(base: Contract): Variation[] {
  return OPTIONAL_ROLES.map((role) => {
    const now = base.columns[role];
    const empty = now === null || (Array.isArray(now) && now.length === 0);
    const column: Column = { name: role, type: 'text', nullable: true };
    const columns = { ...base.columns, [role]: empty ? column : role === 'untracked' ? [] : null };
    return {
      field: role,
      written: empty ? `a column for \`${role}\`` : `no column for \`${role}\``,
      contract: { ...base, columns },
    };
  });
}

export interface Applicability {
  /** Why it is skipped under its base contract, or null where it applies. */
  readonly skippedUnderBase: string | null;
  /** One step from that, where that changes whether it applies. */
  readonly changedBy: readonly { readonly written: string; readonly reason: string | null }[];
}

/** Of a check by repetition: for an implementation that can be interrupted. */
export function applicability(check: Check | RepetitionCheck): Applicability {
  const base = baseContract(check);
  const skip = (contract: Contract) =>
    check.skip(contract, { kind: 'sql', interruptible: true, beginsFromTable: true });
  const skippedUnderBase = skip(base);
  const flips = (steps: readonly Variation[]) =>
    steps.flatMap(({ written, contract }) => {
      const reason = skip(contract);
      return (reason === null) === (skippedUnderBase === null) ? [] : [{ written, reason }];
    });
  // Types are said apart.
  const changedBy = flips(variations(base).filter(({ field }) => field !== 'type'));
  if (skippedUnderBase === null || changedBy.length > 0) return { skippedUnderBase, changedBy };
  return { skippedUnderBase, changedBy: flips(pairs()) };
}

/** Two fields at once, for what no single one makes apply. */
function pairs(): readonly Variation[] {
  const single = fieldVariations(STRICT_CONTRACT).filter(({ field }) => field !== 'type');
  return single.flatMap((first, at) =>
    single
      .slice(at + 1)
      .filter((second) => second.field !== first.field)
      .map((second) => ({
        field: first.field,
        written: `${first.written} and ${second.written}`,
        contract: { ...second.contract, [first.field]: first.contract[first.field as keyof Contract] },
      })),
  );
}

/** Why a check does not apply to implementations that cannot be interrupted, by kind; empty where that makes no difference. */
export function skippedFor(check: RepetitionCheck): readonly (readonly [kind: string, reason: string])[] {
  return KINDS.flatMap((kind) => {
    const reason = check.skip(STRICT_CONTRACT, { kind, interruptible: false, beginsFromTable: true });
    return reason === null ||
      reason === check.skip(STRICT_CONTRACT, { kind, interruptible: true, beginsFromTable: true })
      ? []
      : [[kind, reason] as const];
  });
}

const KINDS: readonly ImplementationKind[] = ['sql', 'function', 'python', 'command', 'dbt'];

/** Fields and roles on which the text of a check's query depends. */
export function queryDependsOn(check: Check): readonly string[] {
  const sql = (contract: Contract) => check.violations({ contract, oracle: true });
  const base = baseContract(check);
  const usual = sql(base);
  const fields = variations(base)
    .filter(({ contract }) => notOfType(check, contract) === null)
    .flatMap(({ field, contract }) => (sql(contract) === usual ? [] : [field]));
  return [...new Set(fields)];
}
