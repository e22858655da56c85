import type { Check, RepetitionCheck } from '../checks/check.ts';
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

/** Roles that a contract may do without, or with. */
const OPTIONAL_ROLES = ROLES.filter((role) => !['key', 'tracked', 'validFrom'].includes(role));

/** Every contract that is one step away from `strict`. What a check depends on is found by asking it about each. */
export function variations(): readonly Variation[] {
  return [...fieldVariations(), ...roleVariations()];
}

function fieldVariations(): Variation[] {
  const plain = Object.entries(OPTIONS).flatMap(([field, { options }]) =>
    options.slice(1).map((option) => vary(field, option, option)),
  );
  const foldings = (['compare', 'keyCompare'] as const).flatMap((field) =>
    FOLDINGS.map((folding) => vary(field, folding, [folding])),
  );
  return [...plain, vary('openMarker', '9999-12-31', '9999-12-31'), ...foldings];
}

function vary(field: string, option: string, value: unknown): Variation {
  return { field, written: `\`${field}: ${option}\``, contract: { ...STRICT_CONTRACT, [field]: value } };
}

function roleVariations(): Variation[] {
  return OPTIONAL_ROLES.map((role) => {
    const now = STRICT_CONTRACT.columns[role];
    const empty = now === null || (Array.isArray(now) && now.length === 0);
    const column: Column = { name: role, type: 'text', nullable: true };
    const columns = { ...STRICT_CONTRACT.columns, [role]: empty ? column : role === 'untracked' ? [] : null };
    return {
      field: role,
      written: empty ? `a column for \`${role}\`` : `no column for \`${role}\``,
      contract: { ...STRICT_CONTRACT, columns },
    };
  });
}

export interface Applicability {
  /** Why it is skipped under `strict`, or null where it applies. */
  readonly skippedUnderStrict: string | null;
  /** One step from `strict`, where that changes whether it applies. */
  readonly changedBy: readonly { readonly written: string; readonly reason: string | null }[];
}

/** Of a check by repetition: for an implementation that can be interrupted. */
export function applicability(check: Check | RepetitionCheck): Applicability {
  const skip = (contract: Contract) => check.skip(contract, { kind: 'sql', interruptible: true });
  const skippedUnderStrict = skip(STRICT_CONTRACT);
  const flips = (steps: readonly Variation[]) =>
    steps.flatMap(({ written, contract }) => {
      const reason = skip(contract);
      return (reason === null) === (skippedUnderStrict === null) ? [] : [{ written, reason }];
    });
  const changedBy = flips(variations());
  if (skippedUnderStrict === null || changedBy.length > 0) return { skippedUnderStrict, changedBy };
  return { skippedUnderStrict, changedBy: flips(pairs()) };
}

/** Two fields at once, for what no single one makes apply. */
function pairs(): readonly Variation[] {
  const single = fieldVariations();
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
    const reason = check.skip(STRICT_CONTRACT, { kind, interruptible: false });
    return reason === null || reason === check.skip(STRICT_CONTRACT, { kind, interruptible: true })
      ? []
      : [[kind, reason] as const];
  });
}

const KINDS: readonly ImplementationKind[] = ['sql', 'function', 'python', 'command', 'dbt'];

/** Fields and roles on which the text of a check's query depends. */
export function queryDependsOn(check: Check): readonly string[] {
  const sql = (contract: Contract) => check.violations({ contract, oracle: true });
  const strict = sql(STRICT_CONTRACT);
  const fields = variations().flatMap(({ field, contract }) => (sql(contract) === strict ? [] : [field]));
  return [...new Set(fields)];
}
