import { coveringFeed } from '../../src/feed/covering.ts';
import { batchFeeds, randomFeed } from '../../src/feed/random.ts';
import { scopeFeeds } from '../../src/feed/scope.ts';
import { implementationOf, RIGHT } from './base.ts';
import { MUTANTS } from './index.ts';
import { judgeTogether } from './judge.ts';
import { byContract, openMutant } from './open.ts';

const only = process.argv.slice(2);
const t0 = performance.now();
const opened: any[] = [];
for (const m of MUTANTS.filter((m) => only.length === 0 || only.includes(m.id)))
  opened.push(await openMutant(m));
console.log('open', Math.round(performance.now() - t0), MUTANTS.length);
let n = 0,
  c = 0,
  s = 0;
for (const group of byContract(opened)) {
  const t = performance.now();
  const contract = group[0]!.contract;
  const scope = [...scopeFeeds(contract, 3)];
  const random = [
    coveringFeed(contract),
    ...batchFeeds(contract, 1),
    ...(process.env.BIG ? [16, 64, 256, 1024] : [16, 64, 120]).map((keys, index) =>
      randomFeed(contract, { seed: 1, index, keys }),
    ),
  ];
  const a = await judgeTogether(group, scope);
  const b = await judgeTogether(group, random);
  a.forEach((v, i) => {
    const r = b[i]!;
    n++;
    const lead = v.lead ?? r.lead;
    if (lead) c++;
    if (v.lead) s++;
    const ok = lead === v.mutant.leads;
    const tbl = v.tableLead ?? r.tableLead;
    console.log(
      ok ? 'ok ' : 'XX ',
      v.mutant.id.padEnd(28),
      'want',
      v.mutant.leads,
      '| scope',
      v.lead,
      '| random',
      r.lead,
      '| table',
      tbl,
      ok ? '' : '| ' + (v.lead ? v.failing : r.failing).join(' '),
    );
  });
  console.log(
    '  --',
    group.length,
    'mutants',
    Math.round(performance.now() - t),
    'ms',
    scope.length + random.length,
  );
}
for (const o of opened) await o.implementation.close();
console.log(n, c, s);
