/**
 * Wrong usage or configuration: the caller asked for something that cannot be done as written. The command line
 * prints the message alone and exits with 2.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
