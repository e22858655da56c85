import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../src/cli/usage-error.ts';
import { suggestion } from '../src/contract/nearest.ts';
import type { CreateReporter } from './reporter.ts';

interface ReporterModule {
  readonly createReporter: CreateReporter;
  /** Name of the main file, where the reporter can write a folder. */
  readonly mainFile?: string;
}

export interface LoadedReporter extends ReporterModule {
  /** Whether it is one of this package's, and no third party's. */
  readonly own: boolean;
}

/** Reporters by name, each loaded only when asked for. A new one is a file here and a line in this table. */
const REPORTERS: Readonly<Record<string, () => Promise<ReporterModule>>> = {
  terminal: () => import('./terminal.ts'),
  html: () => import('./html.ts'),
  json: () => import('./json.ts'),
  ndjson: () => import('./ndjson.ts'),
  junit: () => import('./junit.ts'),
  ctrf: () => import('./ctrf.ts'),
  markdown: () => import('./markdown.ts'),
  github: () => import('./github.ts'),
  gitlab: () => import('./gitlab.ts'),
};

export const REPORTER_NAMES: readonly string[] = Object.keys(REPORTERS);

/**
 * The reporter of that name; or a third party's: a module by its path, or an installed package, whose default export is a
 * `CreateReporter`.
 * @param cwd the folder that paths and packages are looked for from
 * @throws UsageError that names the nearest where there is none, and says what is wrong with a module
 */
export async function loadReporter(name: string, cwd: string): Promise<LoadedReporter> {
  const load = Object.hasOwn(REPORTERS, name) ? REPORTERS[name] : undefined;
  if (load !== undefined) return { ...(await load()), own: true };
  const module = isPath(name)
    ? await importReporter(resolve(cwd, name), name)
    : await importPackage(name, cwd);
  const create = module['default'] ?? module['createReporter'];
  if (typeof create !== 'function')
    throw new UsageError(
      `The reporter \`${name}\` is no function: its default export is ${kindOf(create)}. Write \`export default (output) => ({ onEnd(report) { output.write(…); } })\`.`,
    );
  const mainFile = module['mainFile'];
  return {
    createReporter: create as CreateReporter,
    ...(typeof mainFile === 'string' ? { mainFile } : {}),
    own: false,
  };
}

type ModuleExports = Readonly<Record<string, unknown>>;

function isPath(name: string): boolean {
  return /^\.{0,2}\//.test(name) || /\.[cm]?[jt]s$/.test(name);
}

async function importPackage(name: string, cwd: string): Promise<ModuleExports> {
  // What is no name of a package is a slip of the pen.
  const path = /^(@[\w.-]+\/)?[\w.-]+(\/[\w./-]+)?$/.test(name) ? await resolvePackage(name, cwd) : null;
  if (path === null)
    throw new UsageError(
      `There is no reporter \`${name}\`.${suggestion(name, REPORTER_NAMES)} One of your own is named by its path (\`./${name}.ts\`) or is an installed package.`,
    );
  return importReporter(path, name);
}

async function resolvePackage(name: string, cwd: string): Promise<string | null> {
  const { createJiti } = await import('jiti');
  const found = createJiti(resolve(cwd, 'package.json')).esmResolve(name, { try: true });
  return found === undefined || found.startsWith('node:') ? null : found;
}

async function importReporter(path: string, name: string): Promise<ModuleExports> {
  const { createJiti } = await import('jiti');
  const url = path.startsWith('file:') ? path : pathToFileURL(path).href;
  try {
    return (await createJiti(import.meta.url, { interopDefault: false }).import(url)) as ModuleExports;
  } catch (error) {
    const { message } = error instanceof Error ? error : { message: String(error) };
    throw new UsageError(`Cannot load the reporter \`${name}\`: ${message.split('\n')[0]}`);
  }
}

function kindOf(value: unknown): string {
  return value === undefined
    ? 'missing'
    : value === null
      ? 'null'
      : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}
