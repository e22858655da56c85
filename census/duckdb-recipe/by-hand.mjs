// Feeds straight into the recipe, without scd2check: prints the versions that DuckDB then holds, by the name of the feed. `current_date` is
// written into the statements as a date.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

const [, setup, load] = readFileSync(new URL('recipe.sql', import.meta.url), 'utf8').split(
  /^-- scd2check:(?:setup|load)$/m,
);

async function versionsAfter(batches) {
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(setup);
  await connection.run('CREATE TABLE batch (customer_id VARCHAR, customer_segment VARCHAR, city VARCHAR)');
  for (const { asOf, rows } of batches) {
    await connection.run('DELETE FROM batch');
    for (const { customer_id, customer_segment, city } of rows)
      await connection.run('INSERT INTO batch VALUES ($1, $2, $3)', [customer_id, customer_segment, city]);
    await connection.run(load.replaceAll('current_date', `DATE '${asOf.slice(0, 10)}'`));
  }
  const first = batches[0].rows[0].customer_id;
  const reader = await connection.runAndReadAll(
    // An inclusive end; the report shows the instant after it.
    'SELECT customer_segment, begin_date::VARCHAR, (end_date + INTERVAL 1 DAY)::DATE::VARCHAR FROM dim_customer WHERE customer_id = $1',
    [first],
  );
  return reader.getRowsJson();
}

const shown = {};
for (const path of process.argv.slice(2))
  shown[basename(path, '.json')] = await versionsAfter(JSON.parse(readFileSync(path, 'utf8')).batches);
console.log(JSON.stringify(shown));
