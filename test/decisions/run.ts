import { cleanUnderOwn } from './clean.ts';
import { deciding } from './implementation.ts';
import { ONE_OF_EACH } from './options.ts';
import { probed, wrongProbes } from './probed.ts';
import { decisionsOf, defectsOf, runUndeclared } from './undeclared.ts';

/**
 * `npm run verify:decisions [-- <histories> [<field>]]`: a correct implementation of each option of each field is clean under its own
 * contract over so many histories (20,000 unless given), is found out by a probe, and has no defect where no contract is declared.
 * Exits 1 where any of this does not hold.
 */
const histories = Number(process.argv[2] ?? 20_000);
const only = process.argv[3] ?? null;

let wrong = 0;
let options = 0;
for (const one of ONE_OF_EACH) {
  if (only !== null && only !== one.field) continue;
  options++;
  const started = performance.now();
  const clean = await cleanUnderOwn(one, 3, histories);
  const misread = wrongProbes(one, await probed(one));
  const undeclared = await runUndeclared(deciding(one), { scope: 2, histories: 200, cases: true });
  const defects = defectsOf(undeclared);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    [
      `${one.field}: ${one.option}: ${clean.finding ?? `no finding in ${clean.histories} histories`}`,
      misread.length === 0 ? 'probed rightly' : `PROBED WRONGLY (${misread.join(', ')})`,
      defects.length === 0
        ? `without a contract ${decisionsOf(undeclared).join(', ') || 'nothing'}`
        : `CALLED A DEFECT (${defects.slice(0, 3).join(', ')})`,
      `${seconds} s`,
    ].join('; '),
  );
  if (clean.finding !== null || misread.length > 0 || defects.length > 0) wrong++;
}
console.log(`${options} options, ${wrong} of them wrong`);
process.exitCode = wrong > 0 ? 1 : 0;
