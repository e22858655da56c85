import { dbt } from './dbt/entry.ts';
import { djangoSimpleHistory } from './django-simple-history/entry.ts';
import { dlt } from './dlt/entry.ts';
import { duckdbRecipe } from './duckdb-recipe/entry.ts';
import { easydw } from './easydw/entry.ts';
import type { Entry } from './entry.ts';
import { mack } from './mack/entry.ts';
import { mariadb } from './mariadb/entry.ts';
import { odibi } from './odibi/entry.ts';
import { pandasScd2 } from './pandas-scd2/entry.ts';
import { pygrametl } from './pygrametl/entry.ts';
import { scduck } from './scduck/entry.ts';
import { sequelizeTemporal } from './sequelize-temporal/entry.ts';
import { sqlmesh } from './sqlmesh/entry.ts';
import { typetwo } from './typetwo/entry.ts';

/** All of the census, in the order of its page. */
export const ENTRIES: readonly Entry[] = [
  dbt,
  sqlmesh,
  dlt,
  scduck,
  pygrametl,
  odibi,
  typetwo,
  pandasScd2,
  easydw,
  mack,
  duckdbRecipe,
  sequelizeTemporal,
  djangoSimpleHistory,
  mariadb,
];
