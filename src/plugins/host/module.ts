import { createJiti } from 'jiti';
import { ImplementationFailure } from '../implementation.ts';
import type { ContractView } from './contract-view.ts';
import { forgetUserModules, SESSION_QUERY } from './fresh-modules.ts';
import { show } from './show.ts';

/** What user code is told with each batch. `asOf` is ISO text with six decimals, at day grain `YYYY-MM-DD`. */
export interface ApplyContext {
  readonly asOf: string;
  readonly contract: ContractView;
}

/** What `start` receives: the contract, the batch's columns in order, and maybe a dimension to begin with. */
export interface StartContext {
  readonly contract: ContractView;
  readonly columns: readonly { readonly name: string; readonly type: string; readonly nullable: boolean }[];
  readonly dimension: unknown;
  readonly feedId: string;
}

/** An implementation whose state the harness keeps between the calls. */
export type ApplyFunction = (state: unknown, rows: unknown, context: ApplyContext) => unknown;

/** An implementation that keeps its state itself. */
export interface StatefulObject {
  start?(context: StartContext): unknown;
  apply(rows: unknown, context: ApplyContext): unknown;
  read(): unknown;
}

export interface UserModule {
  readonly implementation: ApplyFunction | StatefulObject;
  readonly contract: unknown;
  readonly anyColumns: boolean;
  /** How it wants its rows (and its first state). */
  readonly rows: 'objects' | 'arrow';
}

const jiti = createJiti(import.meta.url);

/** Loads a module as if for the first time: it and whatever it imports is evaluated anew. */
export async function loadModule(path: string): Promise<UserModule> {
  forgetUserModules();
  return describeModule(path, await importModule(path));
}

async function importModule(path: string): Promise<Record<string, unknown>> {
  try {
    return await jiti.import<Record<string, unknown>>(path);
  } catch (error) {
    throw startFailure(`${path} could not be loaded: ${errorText(error, path)}`);
  }
}

function describeModule(path: string, module: Record<string, unknown>): UserModule {
  const implementation = module['default'];
  if (!isUsable(implementation)) throw startFailure(`${path} ${whatIsWrong(module)} ${WHAT_TO_EXPORT}`);
  const rows = exported(module, 'rows') ?? 'objects';
  if (rows !== 'objects' && rows !== 'arrow') {
    throw startFailure(
      `${path} exports rows = ${show(rows)}, but it can be 'objects' (as without it) or 'arrow'.`,
    );
  }
  const anyColumns = exported(module, 'anyColumns') === true;
  return { implementation, contract: plainData(path, exported(module, 'contract')), anyColumns, rows };
}

/** A named export, or a property of the default one. */
function exported(module: Record<string, unknown>, name: string): unknown {
  return module[name] ?? (module['default'] as Record<string, unknown>)[name];
}

function isUsable(value: unknown): value is ApplyFunction | StatefulObject {
  if (typeof value === 'function') return true;
  if (typeof value !== 'object' || value === null) return false;
  const { start, apply, read } = value as Record<string, unknown>;
  const startFits = start === undefined || typeof start === 'function';
  return startFits && typeof apply === 'function' && typeof read === 'function';
}

const WHAT_TO_EXPORT =
  'Export as default a function apply(state, rows, { asOf, contract }) that returns the new state (an array of row ' +
  'objects, or an Arrow table; the first state is null), or an object with start(setup), ' +
  'apply(rows, { asOf, contract }) and read() that keeps its state itself.';

function whatIsWrong(module: Record<string, unknown>): string {
  const names = Object.keys(module).filter((name) => name !== 'default');
  if (Object.keys(module).length === 0) return 'exports nothing, or an empty object.';
  // Without a default export, jiti gives the module itself.
  if (!Object.hasOwn(module, 'default') || module['default'] === undefined) {
    return `has no default export${names.length === 0 ? '' : ` (only ${names.join(', ')})`}.`;
  }
  const value = module['default'];
  if (typeof value !== 'object' || value === null) return `has ${show(value)} as its default export.`;
  const own = Object.keys(value);
  // A CommonJS file that exports nothing has an empty object as its default export.
  if (own.length === 0 && names.length === 0) return 'exports nothing, or an empty object.';
  return `has an object as its default export, with ${own.join(', ') || 'nothing in it'}.`;
}

function plainData(path: string, contract: unknown): unknown {
  try {
    return structuredClone(contract);
  } catch (error) {
    throw startFailure(
      `${path} exports a contract that is not plain data (${(error as Error).message}). ` +
        'Write its fields as text, lists and objects.',
    );
  }
}

function startFailure(message: string): ImplementationFailure {
  return new ImplementationFailure('start', message);
}

/** What a thrown value says, on one line, with the first place in the user's file that its stack names. */
export function errorText(error: unknown, path: string): string {
  if (!(error instanceof Error) && Object.prototype.toString.call(error) !== '[object Error]') {
    return `${show(error)} was thrown`;
  }
  const { name, message, stack } = error as Error;
  const text = (name === 'Error' ? message : `${name}: ${message}`)
    .replace(SESSION_QUERY, '')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
  const place = /:(\d+):\d+\)?$/m.exec(
    String(stack ?? '')
      .split('\n')
      .find((line) => /^\s+at /.test(line) && line.includes(path)) ?? '',
  );
  return place === null ? text || 'an Error without a message' : `${text} (line ${place[1]})`;
}
