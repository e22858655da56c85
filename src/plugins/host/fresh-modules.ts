import { createRequire, register } from 'node:module';

/**
 * Makes modules be evaluated anew for each session: their variables live as long as a session, as they would live as
 * long as a process in production. What lies in `node_modules` is left alone.
 *
 * CommonJS (and what jiti compiles) is forgotten by emptying Node's cache. ES modules cannot be forgotten, so they
 * are imported under another address each time: a resolve hook adds the number of the session. The hook runs in
 * Node's loader thread and sees the number through shared memory.
 */
const session = new Int32Array(new SharedArrayBuffer(4));

const HOOK = `
  let session;
  export const initialize = (data) => { session = data; };
  export async function resolve(specifier, context, next) {
    const found = await next(specifier, context);
    const users = found.url.startsWith('file:') && !/[/]node_modules[/]|[?]/.test(found.url);
    if (!users) return found;
    // Ends as the file does, which is what other hooks look at.
    const end = '?session=' + Atomics.load(session, 0) + /([.][a-z]*)?$/.exec(found.url)[0];
    return { ...found, url: found.url + end };
  }`;

/** What the hook adds, to be taken out of messages. */
export const SESSION_QUERY = /\?session=\d+(\.[a-z]*)?/g;

const { cache } = createRequire(import.meta.url);

/** From now on, imports of the user's modules find none that is loaded already. */
export function forgetUserModules(): void {
  if (Atomics.add(session, 0, 1) === 0) {
    register(`data:text/javascript,${encodeURIComponent(HOOK)}`, { data: session });
  }
  for (const path of Object.keys(cache)) if (!/[\\/]node_modules[\\/]/.test(path)) delete cache[path];
}
