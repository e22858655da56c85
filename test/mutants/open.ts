import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/cli/version.ts';
import type { Contract } from '../../src/contract/contract.ts';
import { declareContract } from '../../src/contract/declare.ts';
import type { Declared } from '../../src/contract/declared.ts';
import { contractToJson } from '../../src/contract/print.ts';
import { openImplementation } from '../../src/plugins/open.ts';
import type { OpenedImplementation } from '../../src/plugins/opened.ts';
import { implementationOf, RIGHT } from './base.ts';
import type { Declaration, Mutant } from './mutant.ts';

/** A mutant that can be run, and the contract that it declares. */
export interface OpenedMutant {
  readonly mutant: Mutant;
  readonly implementation: OpenedImplementation;
  readonly contract: Contract;
  /** The reader's own join, or null. */
  readonly join: string | null;
}

export async function openMutant(mutant: Mutant): Promise<OpenedMutant> {
  const implementation = await implementing(mutant);
  const { contract } = declareContract([implementation.declared, linesOf(mutant.contract)]);
  return { mutant, implementation, contract, join: 'join' in mutant ? mutant.join : null };
}

async function implementing(mutant: Mutant): Promise<OpenedImplementation> {
  if ('change' in mutant) return implementationOf(mutant.id, { ...RIGHT, ...mutant.change });
  if ('join' in mutant) return implementationOf(mutant.id, RIGHT);
  const text = readFileSync(join(packageRoot(), mutant.script), 'utf8');
  const wrong = mutant.replace.reduce((sql, [before, after]) => {
    if (!sql.includes(before)) throw new Error(`${mutant.script} does not hold ${JSON.stringify(before)}.`);
    return sql.replace(before, after);
  }, text);
  const folder = mkdtempSync(join(tmpdir(), 'scd2check-mutant-'));
  try {
    const path = join(folder, `${mutant.id}.sql`);
    writeFileSync(path, wrong);
    return await openImplementation(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function linesOf(declaration: Declaration): readonly Declared[] {
  return Object.entries(declaration).flatMap(([name, value]) =>
    [value].flat().map((one) => ({ name, value: one, where: 'mutant' })),
  );
}

/** Mutants that are held to one contract, together. */
export function byContract(opened: readonly OpenedMutant[]): readonly (readonly OpenedMutant[])[] {
  const groups = new Map<string, OpenedMutant[]>();
  for (const one of opened) {
    const id = JSON.stringify([contractToJson(one.contract), one.join, one.implementation.kind]);
    groups.set(id, [...(groups.get(id) ?? []), one]);
  }
  return [...groups.values()];
}
