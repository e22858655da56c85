import { type Contract, type Field, FOLDINGS, type Folding, OPTIONS } from '../contract/contract.ts';
import { FIELDS_OF_VERSIONS, hasVersions } from '../contract/types.ts';

/** One option of a field, as a change of a contract. */
export interface Option {
  readonly field: Field;
  readonly name: string;
  readonly apply: (contract: Contract) => Contract;
}

/** Values of the fields that take any: those that the dimension shows, or a column could hold. */
export interface Literals {
  readonly openMarker: readonly string[];
  readonly firstStart: readonly string[];
}

/** What others would have there: without an alternative, nothing could be told from it. */
const USUAL = { openMarker: '9999-12-31', firstStart: '1970-01-01' } as const;

/** The options of a field that make sense beside the other fields of a contract; what the contract has comes first. */
export function optionsOf(field: Field, contract: Contract, literals: Literals): readonly Option[] {
  if (field === 'compare' || field === 'keyCompare') return foldingOptions(field, contract);
  // What shows nothing has no alternative.
  if (!hasVersions(contract) && FIELDS_OF_VERSIONS.has(field))
    return [{ field, name: contract[field], apply: (current) => current }];
  const more = field === 'openMarker' || field === 'firstStart' ? [...literals[field], USUAL[field]] : [];
  const names = new Set<string>([contract[field], ...OPTIONS[field].options, ...more]);
  return [...names].flatMap((name) => {
    const apply = (current: Contract) => ({ ...current, [field]: name });
    return isSensible(apply(contract)) ? [{ field, name, apply }] : [];
  });
}

/** Every set of foldings, the declared one first, then the smallest. */
function foldingOptions(field: 'compare' | 'keyCompare', contract: Contract): readonly Option[] {
  const sets = [0, 1, 2, 3, 4, 5, 6, 7]
    .map((bits) => FOLDINGS.filter((_, at) => (bits >> at) % 2 === 1))
    .sort((a, b) => a.length - b.length);
  return [
    contract[field],
    ...sets.filter((set) => nameOfFoldings(set) !== nameOfFoldings(contract[field])),
  ].map((set) => ({ field, name: nameOfFoldings(set), apply: (current) => ({ ...current, [field]: set }) }));
}

export function nameOfFoldings(foldings: readonly Folding[]): string {
  return foldings.length === 0 ? 'sql' : foldings.join(' ');
}

/** The name of the option that a contract has. */
export function optionIn(contract: Contract, field: Field): string {
  return field === 'compare' || field === 'keyCompare' ? nameOfFoldings(contract[field]) : contract[field];
}

/** Whether the fields do not contradict each other, and there are the columns that they need. */
export function isSensible(contract: Contract): boolean {
  const { feed, stamp, changeBy, deletes, reappearance, late, lateScope, columns, type } = contract;
  if (contract.historyHolds === 'past' && type !== '4') return false;
  if (deletes === 'marker-row' && (columns.isDeleted === null || reappearance === 'bridge')) return false;
  const needsOwn = feed === 'changes' || stamp === 'row-time';
  if (needsOwn && columns.changedAt === null) return false;
  if (changeBy === 'row-time' && !needsOwn) return false;
  if (columns.partition !== null && feed !== 'snapshot') return false;
  const drops = late === 'ignore' || late === 'reject';
  return !(drops && feed === 'snapshot' && stamp === 'row-time' && lateScope === 'batch');
}

/** Options that say that a thing does not happen, so that they fit whatever is done with it. */
export function excludes(field: Field, name: string, questionId: string): boolean {
  if (name === 'never') return true;
  // Rows that differ are not sent to an implementation that promises something of equal ones only.
  return field === 'duplicates' && name === 'equal' && questionId !== 'twice';
}

/** Options that leave the winner open, so that they fit where another one does. */
export function isLoose(name: string): boolean {
  return name === 'any' || name === 'one' || name === 'dimension';
}
