import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../../src/cli/version.ts';
import { MUTANTS } from './index.ts';
import { byContract, type OpenedMutant, openMutant } from './open.ts';
import { isDeclared, mutantsPage, summary, unled } from './page.ts';
import { type Proof, prove } from './prove.ts';
import { BOTH, findBoth } from './two-defects.ts';

/**
 * `npm run mutants [-- --histories 2000 --seeds 1,2,3 --scope 4]`: runs every mutant as a run of scd2check would, writes `docs/mutants.md`,
 * and exits 1 unless each is caught and led by what it declares. `--only id,id` tries some, and writes nothing.
 */
const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '2000' },
    seeds: { type: 'string', default: '1,2,3' },
    scope: { type: 'string', default: '4' },
    only: { type: 'string' },
  },
});
const options = {
  histories: Number(values.histories),
  seeds: values.seeds.split(',').map(Number),
  scope: Number(values.scope),
};
const only = values.only?.split(',') ?? null;
const chosen = MUTANTS.filter(({ id }) => only === null || only.includes(id));

const opened: OpenedMutant[] = [];
for (const mutant of chosen) opened.push(await openMutant(mutant));
const found = new Map<string, Proof>();
for (const group of byContract(opened)) {
  for (const proof of await prove(group, options)) {
    found.set(proof.mutant.id, proof);
    console.error(lineOf(proof));
  }
}
for (const { implementation } of opened) await implementation.close();
const proofs = chosen.map(({ id }) => found.get(id)!);
const isFine = ({ mutant, smallest, random }: Proof) =>
  isDeclared(mutant, smallest?.check) && random.every((histories) => histories !== null);
let failed = !proofs.every(isFine) || unled().length > 0;

const extra: string[] = [];
if (only === null) {
  const seeds = Array.from({ length: 10 }, (_, at) => at + 1);
  let found = 0;
  for (const seed of seeds) {
    const checks = await findBoth(seed, options.histories);
    if (BOTH.every((check) => checks.includes(check))) found++;
    else console.error(`two defects, seed ${seed}: only ${checks.join(', ')}`);
  }
  failed ||= found < seeds.length;
  extra.push(
    `A mutant with two defects, one of them rare (\`test/mutants/two-defects.ts\`): both are reported at ${found} of ${seeds.length} seeds.`,
  );
  writeFileSync(join(packageRoot(), 'docs/mutants.md'), mutantsPage(proofs, options, extra));
}
for (const line of [...summary(proofs, options), ...extra]) console.log(line);
process.exitCode = failed ? 1 : 0;

function lineOf({ mutant, scope, random, smallest }: Proof): string {
  const { id, leads } = mutant;
  if (smallest === null) return `${id}: NOT CAUGHT`;
  const { check, keys, batches, shrinkMs, roots } = smallest;
  const how = isDeclared(mutant, check) ? check : `${check}, NOT ${leads}`;
  const also = roots.filter((root) => root !== check);
  return `${id}: ${how}${also.length > 0 ? ` (and ${also.join(', ')})` : ''}; scope ${scope ?? '–'}; random ${random.map((histories) => histories ?? 'NOT').join('/')}; ${batches} batches, ${keys} keys, ${(shrinkMs / 1000).toFixed(1)} s`;
}
