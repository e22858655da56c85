import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../../src/cli/version.ts';
import { MUTANTS } from './index.ts';
import { openMutant } from './open.ts';
import { mutantsPage, summary, unled } from './page.ts';
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

const proofs: Proof[] = [];
for (const mutant of chosen) {
  const opened = await openMutant(mutant);
  const proof = await prove(opened, options);
  await opened.implementation.close();
  proofs.push(proof);
  console.error(lineOf(proof));
}
const isFine = ({ mutant, smallest, random }: Proof) =>
  smallest?.check === mutant.leads && random.every((histories) => histories !== null);
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
  const how = check === leads ? check : `${check}, NOT ${leads}`;
  const also = roots.filter((root) => root !== check);
  return `${id}: ${how}${also.length > 0 ? ` (and ${also.join(', ')})` : ''}; scope ${scope ?? '–'}; random ${random.map((histories) => histories ?? 'NOT').join('/')}; ${batches} batches, ${keys} keys, ${(shrinkMs / 1000).toFixed(1)} s`;
}
