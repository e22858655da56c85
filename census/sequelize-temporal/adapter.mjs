// sequelize-temporal 2.1.1: a model on SQLite and its history. Each row of the feed becomes a create, an update or a destroy.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(process.env.CENSUS_MODULES, 'adapter.cjs'));
const { DataTypes, Sequelize } = require('sequelize');
const Temporal = require('sequelize-temporal');

export const contract = {
  feed: 'delta',
  deletes: 'close',
  clock: 'moved',
  grain: 'millisecond',
  late: 'never',
  columns: {
    key: ['customer_id'],
    tracked: ['customer_segment', 'city'],
    operation: 'operation',
    validFrom: 'valid_from',
    validTo: 'valid_to',
    isCurrent: null,
  },
};

class Customers {
  async start() {
    await this.sequelize?.close();
    this.sequelize = new Sequelize({ dialect: 'sqlite', storage: ':memory:', logging: false });
    const attributes = {
      customer_id: { type: DataTypes.STRING, primaryKey: true },
      customer_segment: DataTypes.STRING,
      city: DataTypes.STRING,
    };
    this.model = Temporal(this.sequelize.define('Customer', attributes), this.sequelize);
    await this.sequelize.sync();
  }

  async apply(rows) {
    for (const { operation, ...state } of rows) {
      const there = await this.model.findByPk(state.customer_id);
      if (operation === 'D') await there?.destroy();
      else if (there === null) await this.model.create(state);
      else await there.update(state);
    }
  }

  /** What is archived held until then, what is live holds still; both since their last update. */
  async read() {
    const past = await this.sequelize.models.CustomerHistory.findAll({ raw: true });
    const live = await this.model.findAll({ raw: true });
    return [...past, ...live].map(({ customer_id, customer_segment, city, updatedAt, archivedAt }) => ({
      customer_id,
      customer_segment,
      city,
      valid_from: new Date(updatedAt).toISOString(),
      valid_to: archivedAt === undefined ? null : new Date(archivedAt).toISOString(),
    }));
  }
}

export default new Customers();
