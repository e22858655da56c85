import { OPTIONS } from '../src/contract/contract.ts';
import type { Row } from './entry.ts';
import type { Measured } from './measured.ts';

/** Where a run is not what its row says: its contract, its exit code, its findings; a sentence for each. */
export function differences(row: Row, measured: Omit<Measured, 'reds'>): string[] {
  return [...contractDiffers(row, measured), ...exitDiffers(row, measured), ...findingsDiffer(row, measured)];
}

/** Each decision that the adapter makes needs its source, and each source a decision. */
function contractDiffers({ claims, beyond = {} }: Row, { contract }: Omit<Measured, 'reds'>): string[] {
  const claimed = new Map(claims.map(({ field, option }) => [field, option]));
  for (const [field, option] of Object.entries(beyond)) claimed.set(field, option);
  const other = [...claimed].filter(([field, option]) => contract[field] !== option);
  const unsaid = Object.keys(contract).filter(
    (field) => !claimed.has(field) && contract[field] !== strictOption(field),
  );
  return [
    ...other.map(
      ([field, option]) =>
        `The entry claims \`${field}: ${option}\`, and the adapter declares \`${contract[field]}\`.`,
    ),
    ...unsaid.map(
      (field) =>
        `The adapter declares \`${field}: ${contract[field]}\`, and the entry names no source for it.`,
    ),
  ];
}

function exitDiffers({ expected }: Row, { exitCode, problems }: Omit<Measured, 'reds'>): string[] {
  if (exitCode === expected.exitCode) return [];
  const why = problems.length === 0 ? '' : `: ${problems.join(' ')}`;
  return [`The exit code is ${exitCode} and not ${expected.exitCode}${why}`];
}

/** All findings are accounted for, and all findings among the cases are there. */
function findingsDiffer({ expected }: Row, { findings }: Omit<Measured, 'reds'>): string[] {
  const certain = expected.reds.flatMap((red) => red.findings);
  const also = new Set(expected.reds.flatMap((red) => red.also ?? []));
  const isAccounted = (name: string) =>
    certain.includes(name) || also.has(name) || also.has(name.replace(/^[^:]*/, '*'));
  return [
    ...findings
      .filter((name) => !isAccounted(name))
      .map((name) => `Nothing accounts for the finding \`${name}\`.`),
    ...certain
      .filter((name) => !findings.includes(name))
      .map((name) => `The finding \`${name}\` is not there any more.`),
  ];
}

function strictOption(field: string): string {
  const known = OPTIONS as Readonly<Record<string, { readonly options: readonly string[] }>>;
  // `compare` and `keyCompare` are lists of foldings; none of them is `sql`.
  return known[field]?.options[0] ?? 'sql';
}
