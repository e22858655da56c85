import { PYTHON_KIT } from '../command/package.ts';
import type { IsolationOptions } from './isolation.ts';

/** What programs need to find each other and to print text. Nothing that could hold a secret. */
const ALLOWED = ['LANG', 'LC_ALL', 'LC_CTYPE', 'NO_COLOR'];

/**
 * The whole environment of a confined process. Libraries that start a thread for each processor are held to one, and Python's hashes to one seed:
 * the same submission gets the same grade on every machine.
 */
export function confinedEnvironment(
  own: NodeJS.ProcessEnv,
  { environment, limits }: Pick<IsolationOptions, 'environment' | 'limits'>,
  places: { readonly path: string; readonly home: string; readonly temporary: string },
): Record<string, string> {
  const kept = Object.fromEntries(
    [...ALLOWED, ...environment].flatMap((name) => {
      const value = own[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return {
    LANG: 'C.UTF-8',
    OMP_NUM_THREADS: '1',
    OPENBLAS_NUM_THREADS: '1',
    MKL_NUM_THREADS: '1',
    POLARS_MAX_THREADS: '1',
    ...kept,
    TZ: 'UTC',
    PATH: places.path,
    HOME: places.home,
    TMPDIR: places.temporary,
    PYTHONPATH: PYTHON_KIT,
    PYTHONHASHSEED: '0',
    PYTHONDONTWRITEBYTECODE: '1',
    SCD2CHECK_MEMORY_GIB: String(limits.memoryBytes / 2 ** 30),
  };
}
