// Feeds straight into sequelize-temporal, without scd2check: prints the versions of its two tables, by the name of the feed. An instant is shown
// as that of the load in which it was stamped.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const require = createRequire(join(process.env.CENSUS_MODULES, 'by-hand.cjs'));
const { DataTypes, Sequelize } = require('sequelize');
const Temporal = require('sequelize-temporal');

async function versionsAfter(batches) {
  const sequelize = new Sequelize('sqlite::memory:', { logging: false });
  const Customer = Temporal(
    sequelize.define('Customer', {
      id: { type: DataTypes.STRING, primaryKey: true },
      segment: DataTypes.STRING,
    }),
    sequelize,
  );
  await sequelize.sync();
  const loads = [];
  for (const { asOf, rows } of batches) {
    await pause(5);
    const started = Date.now();
    for (const { customer_id: id, customer_segment: segment, operation } of rows) {
      const there = await Customer.findOne({ where: { id } });
      if (operation === 'D') await there?.destroy();
      else if (there === null) await Customer.create({ id, segment });
      else await there.update({ segment });
    }
    loads.push({ started, ended: Date.now(), asOf: asOf.replace('Z', '') });
  }
  const show = (instant) => loads.find(({ started, ended }) => started <= instant && instant <= ended).asOf;
  const id = batches[0].rows[0].customer_id;
  const past = await sequelize.models.CustomerHistory.findAll({ where: { id } });
  const live = await Customer.findAll({ where: { id } });
  return [...past, ...live].map(({ segment, updatedAt, archivedAt }) => [
    segment,
    show(+updatedAt),
    archivedAt === undefined ? null : show(+archivedAt),
  ]);
}

const shown = {};
for (const path of process.argv.slice(2))
  shown[basename(path, '.json')] = await versionsAfter(JSON.parse(readFileSync(path, 'utf8')).batches);
console.log(JSON.stringify(shown));
