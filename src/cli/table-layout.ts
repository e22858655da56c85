import { guessEnds, type Layout, layOut, requireInstants } from '../audit/layout.ts';
import type { AuditTable } from '../audit/table.ts';
import type { ContractConfig } from '../config/config.ts';
import type { LoadedConfig } from '../config/load.ts';
import { type DeclaredContract, declareContract } from '../contract/declare.ts';
import type { Declared } from '../contract/declared.ts';
import { hasVersions } from '../contract/types.ts';
import type { Database } from '../duckdb/connection.ts';
import type { Arguments } from './arguments.ts';
import { configLayer, flagLayer } from './contract-layers.ts';
import { UsageError } from './usage-error.ts';

export interface DeclaredTable {
  readonly contract: DeclaredContract;
  /** Fields that somebody wrote down, in a preset too: nothing is guessed for them. */
  readonly decided: ReadonlySet<string>;
}

/**
 * What flags and configuration say of a table's columns and decisions.
 * @param its what the configuration says of this table alone
 */
export function declaredTable(
  args: Arguments,
  loaded: LoadedConfig,
  cwd: string,
  its?: ContractConfig,
): DeclaredTable {
  const where = loaded.path ?? 'configuration';
  const own: Declared[] = (['key', 'tracked'] as const).flatMap((role) =>
    args.values(role).map((value) => ({ name: role, value, where: `--${role}` })),
  );
  const layers = [
    configLayer(loaded.config.contract, where),
    configLayer(its, where),
    [...flagLayer(args, cwd), ...own],
  ];
  return { contract: asVersions(declareContract(layers)), decided: decidedFields(layers) };
}

/**
 * A table is looked at for its versions. Those of type 6 are what they are in type 2.
 * @throws UsageError where it has none, or where they are in a table of their own
 */
function asVersions(declared: DeclaredContract): DeclaredContract {
  const { type } = declared.contract;
  if (type === '4')
    throw new UsageError(
      '`type: 4` is two tables, and one is looked at here. Give the history table, and leave `type` out: its versions are those of type 2.',
    );
  if (!hasVersions({ type }))
    throw new UsageError(
      `A table of \`type: ${type}\` has no versions, and they are what is looked at here. Whether its values are right only its source can say; two rows of one key, or a row without a key, any query shows. \`scd2check <impl> --set type=${type}\` judges the load that makes it.`,
    );
  if (type === '2') return declared;
  // Its columns for current values stay known: they are no attributes.
  return {
    ...declared,
    contract: { ...declared.contract, type: '2' },
    notes: [
      ...declared.notes,
      'Its versions are looked at as those of type 2; the current values that type 6 has beside them are not.',
    ],
  };
}

function decidedFields(layers: readonly (readonly Declared[])[]): ReadonlySet<string> {
  const names = layers.flat().flatMap(({ name, value }) => {
    if (name === 'contract' && typeof value === 'object' && value !== null) return Object.keys(value);
    return name === 'contract' || name === 'preset' ? ['openMarker', 'end'] : [name];
  });
  return new Set(names);
}

/** Finds the columns of a table, and what its ends say of themselves. */
export async function layoutOf(
  db: Database,
  given: AuditTable,
  { contract, decided }: DeclaredTable,
): Promise<{ readonly table: AuditTable; readonly layout: Layout }> {
  const layout = layOut(contract, given);
  const table = await requireInstants(db, given, layout.contract);
  return { table, layout: await guessEnds(db, table, layout, decided) };
}
