import { ImplementationFailure } from '../../implementation.ts';

const asUsage = (message: string): Error => new ImplementationFailure('usage', message);

/**
 * Loads a driver, which not everybody needs and so nobody gets with this package.
 * @param engine what needs it, for the message
 * @param failure makes the error of the message
 */
export async function loadDriver<T>(
  name: string,
  engine: string,
  load: () => Promise<T>,
  failure: (message: string) => Error = asUsage,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
    const why = isMissing ? 'which is not installed' : `which does not load: ${message}`;
    throw failure(`${engine} needs the package ${name}, ${why}. Install it: npm install --save-dev ${name}`);
  }
}
