import type { Case } from '../../cases/case.ts';
import { contractOfCase, feedOfCase } from '../../cases/contract.ts';
import type { Contract, Decision } from '../contract/contract.ts';
import { FOLDINGS, OPTIONS } from '../contract/contract.ts';
import { hasCurrentTable, hasVersions, usualBeside } from '../contract/types.ts';
import { expectFeed } from '../oracle/typescript/index.ts';

/**
 * What a case comes to: versions after its last load, and how many of them are open. Marker rows count as versions here. Of a table that is
 * overwritten, its rows.
 */
export interface Figures {
  readonly versions: number;
  readonly open: number;
}

/** A case as a question. */
export interface Question {
  readonly id: string;
  readonly title: string;
  /** Each load in a line. */
  readonly loads: readonly string[];
}

export function questionOf(theCase: Case): Question {
  const loads = theCase.batches.map(({ asOf, rows }) => {
    const said = rows.map((row) =>
      Object.values(row)
        .map((cell) => (cell === null ? 'NULL' : String(cell)))
        .join(', '),
    );
    return `${asOf.replace('T', ' ').replace(/(:00)?Z$/, '')}: ${said.join('; ') || 'no rows'}`;
  });
  return { id: theCase.id, title: titleWithoutAnswer(theCase), loads };
}

/** Titles of cases say what is right; a question must not. */
export function titleWithoutAnswer({ id }: Pick<Case, 'id'>): string {
  return id.replaceAll('-', ' ');
}

/** What the oracle says of a case under a contract; null where the contract refuses one of its loads. */
export function figuresOf(theCase: Case, contract: Contract): Figures | null {
  const own = underContract(theCase, contract);
  const steps = expectFeed(own, feedOfCase(theCase));
  if (steps.some(({ outcome }) => outcome === 'rejected')) return null;
  const { keys } = steps.at(-1)!;
  const versions = keys.flatMap((key) => key.versions);
  const current = keys.flatMap((key) => key.current ?? []);
  const now = hasCurrentTable(contract) ? current : versions.filter(({ validTo }) => validTo === null);
  return {
    versions: hasVersions(contract) ? versions.length : current.length,
    open: now.filter(({ isDeleted }) => !isDeleted).length,
  };
}

/** The decisions of a contract, on the columns of the case. */
function underContract(theCase: Case, contract: Contract): Contract {
  const { columns } = contractOfCase(theCase);
  const isDeleted = { name: 'is_deleted', type: 'boolean', nullable: false } as const;
  const own = contract.deletes === 'marker-row' ? { ...columns, isDeleted } : columns;
  return { ...contract, columns: { ...own, ...usualBeside(contract.type, columns.tracked) } };
}

/** Every single decision by which a contract may differ from another. */
export function singleDecisions(contract: Contract): readonly { decision: Decision; contract: Contract }[] {
  const fields = [
    'deletes',
    'late',
    'grain',
    'feed',
    'emptySnapshot',
    'reappearance',
    'sameInstant',
    'changeBy',
  ] as const;
  const options = fields.flatMap((field) =>
    (OPTIONS[field].options as readonly string[])
      .filter(
        (option) =>
          option !== contract[field] && option !== 'never' && option !== 'any' && option !== 'changes',
      )
      .map((option) => ({
        decision: { field, option },
        contract: { ...contract, [field]: option } as Contract,
      })),
  );
  const foldings = FOLDINGS.filter((folding) => !contract.compare.includes(folding)).map((folding) => ({
    decision: { field: 'compare' as const, option: folding },
    contract: { ...contract, compare: [...contract.compare, folding] },
  }));
  return [...options, ...foldings];
}

export function sameFigures(a: Figures | null, b: Figures | null): boolean {
  return a === null || b === null ? a === b : a.versions === b.versions && a.open === b.open;
}
