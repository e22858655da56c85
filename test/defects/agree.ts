import type { Cell, Column } from '../../src/contract/columns.ts';
import { type Contract, grainMicros } from '../../src/contract/contract.ts';
import { formatInstant } from '../../src/contract/instant.ts';
import type { ExpectedKey, ExpectedStep, ExpectedVersion } from '../../src/oracle/expected.ts';
import { foldState, type JudgedStep } from '../../src/oracle/typescript/index.ts';
import { isYes, type Raw, type Result } from './entry.ts';
import { instantOf } from './feed.ts';
import { readCell } from './layout.ts';

/**
 * Whether an oracle's answer after the last batch is what an entry expects, untracked attributes aside: several of their values may be
 * right, which the plain oracle says (`untrackedDisagreement`), and the check that the expected dimension has to pass too.
 *
 * Returns null where it is, else both sides.
 */
export function disagreement(
  contract: Contract,
  right: Result,
  step: ExpectedStep | undefined,
): string | null {
  switch (right.kind) {
    case 'refused':
      return step?.outcome === 'rejected' ? null : 'the batch should be rejected, and the oracle applies it';
    case 'as-of':
      return both(
        right.lookups.map((lookup) => toldLookup(contract, lookup)),
        right.lookups.map((lookup) => foundLookup(contract, lookup, step)),
      );
    case 'table':
      return tableDisagreement(contract, right.rows, step?.keys ?? []);
  }
}

/**
 * Whether each untracked state that the right dimension shows is one of those that the plain oracle allows there. Null where it is.
 */
export function untrackedDisagreement(
  contract: Contract,
  right: Result,
  step: JudgedStep | undefined,
): string | null {
  const { key, untracked, isDeleted } = contract.columns;
  if (right.kind !== 'table' || untracked.length === 0) return null;
  const fold = (row: Raw) => foldState(cells(row, key), key, contract.keyCompare);
  const wrong = right.rows.find((row) => {
    const version = (step?.keys ?? [])
      .filter((one) => foldState(one.key, key, contract.keyCompare) === fold(row))
      .flatMap(({ versions }) => versions)
      .find(
        (one) =>
          one.validFrom === instantOf(row['from']) &&
          one.isDeleted === (isDeleted !== null && isYes(row[isDeleted.name])),
      );
    if (version === undefined || version.untrackedRight === null) return false;
    const state = foldState(cells(row, untracked), untracked, contract.compare);
    return !version.untrackedRight.some((one) => foldState(one, untracked, contract.compare) === state);
  });
  return wrong === undefined ? null : `no untracked attributes like those of ${JSON.stringify(wrong)}`;
}

function both(expected: readonly string[], found: readonly string[]): string | null {
  const [a, b] = [expected.toSorted().join('\n  '), found.toSorted().join('\n  ')];
  return a === b ? null : `expected\n  ${a || '(nothing)'}\nthe oracle says\n  ${b || '(nothing)'}`;
}

/** Of a key whose winner the contract leaves open, only the intervals are compared. */
function tableDisagreement(
  contract: Contract,
  rows: readonly Raw[],
  keys: readonly ExpectedKey[],
): string | null {
  const { key, tracked } = contract.columns;
  const open = new Set(
    keys.filter(({ ambiguous }) => ambiguous).map((one) => foldState(one.key, key, contract.keyCompare)),
  );
  const line = (
    keyCells: readonly Cell[],
    cells: readonly Cell[],
    from: bigint,
    to: bigint | null,
    deleted: boolean,
  ) => {
    const keyState = foldState(keyCells, key, contract.keyCompare);
    const state = open.has(keyState) ? '(any)' : foldState(cells, tracked, contract.compare);
    return `${keyState} ${state} [${formatInstant(from)}, ${to === null ? 'open' : formatInstant(to)})${deleted ? ' deleted' : ''}`;
  };
  const isDeleted = (row: Raw) =>
    contract.columns.isDeleted !== null && isYes(row[contract.columns.isDeleted.name]);
  return both(
    rows.map((row) =>
      line(
        cells(row, key),
        cells(row, tracked),
        instantOf(row['from']),
        exclusiveEnd(contract, row['to']),
        isDeleted(row),
      ),
    ),
    keys
      .flatMap(({ versions }) => versions)
      .map((one) => line(one.key, one.tracked, one.validFrom, one.validTo, one.isDeleted)),
  );
}

function cells(row: Raw, columns: readonly Column[]): readonly Cell[] {
  return columns.map((column) => readCell(column, row[column.name]));
}

/** NULL is open, and so is the declared open marker. */
function exclusiveEnd({ openMarker, end, grain }: Contract, to: unknown): bigint | null {
  if (to === null || to === undefined) return null;
  const instant = instantOf(to);
  if (openMarker !== 'null' && instant === instantOf(openMarker)) return null;
  return end === 'inclusive' ? instant + grainMicros(grain) : instant;
}

/** The attributes that a lookup names, and how many versions it should meet. */
function toldLookup(contract: Contract, lookup: Raw): string {
  return lookupText(
    lookup,
    Number(lookup['matches']),
    named(contract, lookup).map((column) => readCell(column, lookup[column.name])),
  );
}

function foundLookup(contract: Contract, lookup: Raw, step: ExpectedStep | undefined): string {
  const columns = named(contract, lookup);
  const found = versionsAt(contract, lookup, step);
  const [only] = found;
  return lookupText(
    lookup,
    found.length,
    columns.map((column) => (only === undefined ? null : attributeOf(contract, only, column))),
  );
}

function lookupText(lookup: Raw, matches: number, attributes: readonly Cell[]): string {
  return `${JSON.stringify(lookup['at'])} matches ${matches} ${JSON.stringify(attributes.map(String))}`;
}

function named({ columns }: Contract, lookup: Raw): readonly Column[] {
  return [...columns.tracked, ...columns.untracked].filter(({ name }) => name in lookup);
}

function attributeOf({ columns }: Contract, version: ExpectedVersion, { name }: Column): Cell {
  const all = [...columns.tracked, ...columns.untracked];
  return [...version.tracked, ...version.untracked][all.findIndex((one) => one.name === name)] ?? null;
}

function versionsAt(
  contract: Contract,
  lookup: Raw,
  step: ExpectedStep | undefined,
): readonly ExpectedVersion[] {
  const key = foldState(cells(lookup, contract.columns.key), contract.columns.key, contract.keyCompare);
  const at = instantOf(lookup['at']);
  return (step?.keys ?? [])
    .filter((one) => foldState(one.key, contract.columns.key, contract.keyCompare) === key)
    .flatMap(({ versions }) => versions)
    .filter(
      ({ validFrom, validTo, isDeleted }) =>
        !isDeleted && validFrom <= at && (validTo === null || at < validTo),
    );
}
