import { guessEnds, type Layout, layOut, requireInstants } from '../audit/layout.ts';
import type { AuditTable } from '../audit/table.ts';
import type { ContractConfig } from '../config/config.ts';
import type { LoadedConfig } from '../config/load.ts';
import { type Declared, type DeclaredContract, declareContract } from '../contract/declare.ts';
import type { Database } from '../duckdb/connection.ts';
import type { Arguments } from './arguments.ts';
import { configLayer, flagLayer } from './contract-layers.ts';

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
  return { contract: declareContract(layers), decided: decidedFields(layers) };
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
