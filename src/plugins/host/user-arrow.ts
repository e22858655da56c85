import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Table } from 'apache-arrow';
import * as arrow from 'apache-arrow';
import { ImplementationFailure } from '../implementation.ts';

/**
 * Arrow tables that user code returns may be of another copy of apache-arrow than ours (its own `node_modules`, or
 * the CommonJS build), and copies do not read each other's objects. Only the bytes of an IPC stream are common
 * ground, so a table is written by the copy that made it.
 */
type ArrowLibrary = Pick<typeof arrow, 'Table' | 'tableToIPC'>;

/** Whether a value has the shape of a table of any copy of apache-arrow. */
export function looksLikeTable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { schema, batches, numRows } = value as Record<string, unknown>;
  return (
    Array.isArray(batches) && typeof numRows === 'number' && typeof schema === 'object' && schema !== null
  );
}

/** IPC bytes of a table that the module at `path` made. */
export async function userTableToIpc(table: unknown, path: string): Promise<Uint8Array> {
  for (const load of [
    () => [arrow],
    () => reachableFrom(import.meta.url),
    () => reachableFrom(pathToFileURL(path)),
  ]) {
    for (const library of await load()) {
      // Not instanceof, to which tables of any copy are instances.
      if (Object.prototype.isPrototypeOf.call(library.Table.prototype, table as object)) {
        return library.tableToIPC(table as Table, 'stream');
      }
    }
  }
  throw new ImplementationFailure(
    'output',
    `${path} returned an Arrow table of a copy of apache-arrow that scd2check cannot find from there. ` +
      "Return tableToIPC(table, 'stream') instead, or plain rows.",
  );
}

async function reachableFrom(place: string | URL): Promise<ArrowLibrary[]> {
  try {
    const require = createRequire(place);
    const commonJs = require.resolve('apache-arrow');
    const module = pathToFileURL(commonJs.replace(/\.js$/, '.mjs')).href;
    return [require(commonJs) as ArrowLibrary, (await import(module)) as ArrowLibrary];
  } catch {
    return [];
  }
}
