import { nearest } from '../contract/nearest.ts';
import type { Arguments } from './arguments.ts';
import { SHELLS, type Shell } from './completion.ts';
import { UsageError } from './usage-error.ts';

/** `scd2check completion <shell>`: a script for the shell to read. */
export function completionCommand({ targets }: Arguments): number {
  const [shell, ...more] = targets;
  const names = Object.keys(SHELLS);
  if (shell === undefined || more.length > 0 || !Object.hasOwn(SHELLS, shell)) {
    const near = shell === undefined ? null : nearest(shell, names);
    throw new UsageError(
      `\`scd2check completion\` needs a shell: ${names.join(', ')}.${near === null ? '' : ` Did you mean \`${near}\`?`}`,
    );
  }
  process.stdout.write(SHELLS[shell as Shell]());
  return 0;
}
