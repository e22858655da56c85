import { expect, test } from 'vitest';
import { ownInstances, sharedInstance } from './duckdb-database.ts';

test.each([
  ['a shared instance', sharedInstance],
  ['instances of their own', ownInstances],
])('sessions that open at once in %s see nothing of each other', async (_, factory) => {
  const databases = factory();
  await (await databases.open()).close();
  const all = await Promise.all([databases.open(), databases.open(), databases.open()]);
  for (const database of all) await database.run('CREATE TABLE mine (id INTEGER)');
  expect(all).toHaveLength(3);
  for (const database of all) await database.close();
});
