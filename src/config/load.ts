import { dirname, extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cosmiconfig } from 'cosmiconfig';
import { UsageError } from '../cli/usage-error.ts';
import { suggestion } from '../contract/nearest.ts';
import { refuseStrangeAudits } from './audits.ts';
import { CONFIG_KEYS, type Config } from './config.ts';

export interface LoadedConfig {
  readonly config: Config;
  /** The file, or null where there is none. */
  readonly path: string | null;
  /** The folder that relative paths in it start from. */
  readonly root: string;
}

const PLACES = [
  'package.json',
  'scd2check.config.ts',
  'scd2check.config.mts',
  'scd2check.config.js',
  'scd2check.config.mjs',
  'scd2check.config.cjs',
  'scd2check.config.json',
  '.scd2checkrc',
  '.scd2checkrc.json',
  '.scd2checkrc.yaml',
];

/**
 * Finds and loads the configuration: the named file, or the nearest one from the working folder up to the project's root.
 * @throws UsageError where it cannot be read, or has a key that means nothing
 */
export async function loadConfig(file: string | null, cwd: string): Promise<LoadedConfig> {
  const explorer = cosmiconfig('scd2check', {
    searchPlaces: PLACES,
    searchStrategy: 'project',
    loaders: { '.ts': loadTypeScript, '.mts': loadTypeScript },
  });
  let found: { config: unknown; filepath: string; isEmpty?: boolean } | null;
  try {
    found = file === null ? await explorer.search(cwd) : await explorer.load(resolve(cwd, file));
  } catch (error) {
    const message =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : (error as Error).message;
    throw new UsageError(`Cannot load the configuration${file === null ? '' : ` \`${file}\``}: ${message}`);
  }
  if (found === null || found.isEmpty) return { config: {}, path: null, root: cwd };
  return {
    config: validate(found.config, found.filepath),
    path: found.filepath,
    root: dirname(found.filepath),
  };
}

/** cosmiconfig's own loader wants the compiler's old API. */
async function loadTypeScript(path: string): Promise<unknown> {
  const { createJiti } = await import('jiti');
  // `npx scd2check` runs where nothing is installed too, and a configuration imports `defineConfig` from us all the same.
  const own = fileURLToPath(new URL(`../index${extname(import.meta.url)}`, import.meta.url));
  return createJiti(import.meta.url, { alias: { scd2check: own } }).import(path, { default: true });
}

function validate(config: unknown, path: string): Config {
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    throw new UsageError(`${path} must export an object: export default defineConfig({ … }).`);
  }
  const strange = Object.keys(config).find((key) => !(CONFIG_KEYS as readonly string[]).includes(key));
  if (strange !== undefined)
    throw new UsageError(`${path}: there is no setting \`${strange}\`.${suggestion(strange, CONFIG_KEYS)}`);
  refuseStrangeKnown((config as Config).known, path);
  refuseStrangeAudits((config as Config).audits, path);
  return config as Config;
}

function refuseStrangeKnown(known: unknown, path: string): void {
  if (known === undefined) return;
  const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '';
  const strange = Array.isArray(known)
    ? known.find((one) => !isText(one?.id) || !isText(one?.reason))
    : known;
  if (strange === undefined) return;
  throw new UsageError(
    `${path}: \`known\` must be a list of findings, each with the reason why it is accepted: [{ id: 'no-overlap-1a2b3c4d', reason: '…' }]; it holds ${JSON.stringify(strange)}.`,
  );
}
