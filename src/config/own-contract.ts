import { resolve } from 'node:path';
import type { ContractConfig } from './config.ts';
import type { LoadedConfig } from './load.ts';

/** The contract that the configuration declares for one implementation, by its path; undefined where it declares none. */
export function ownContract(
  { config, root }: LoadedConfig,
  path: string,
  cwd: string,
): ContractConfig | undefined {
  const wanted = resolve(cwd, path);
  const entry = (config.implementations ?? []).find(
    (one) => typeof one !== 'string' && resolve(root, one.path) === wanted,
  );
  return typeof entry === 'object' ? entry.contract : undefined;
}
