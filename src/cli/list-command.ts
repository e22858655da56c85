import { CASES } from '../../cases/index.ts';
import { REPORTER_NAMES } from '../../reporters/index.ts';
import { ALL_CHECKS } from '../checks/index.ts';
import { PRESETS } from '../contract/presets.ts';

/** `scd2check list`: everything that has an id. */
export function listCommand(): number {
  const section = (title: string, rows: readonly (readonly [string, string])[]) => {
    const width = Math.max(...rows.map(([id]) => id.length));
    return [`${title} (${rows.length})`, ...rows.map(([id, text]) => `  ${id.padEnd(width)}  ${text}`), ''];
  };
  const lines = [
    ...section(
      'Checks',
      ALL_CHECKS.map(({ id, title }) => [id, title]),
    ),
    ...section(
      'Cases',
      CASES.map(({ id, title }) => [id, title]),
    ),
    ...section(
      'Contracts',
      PRESETS.map(({ id, title }) => [id, title]),
    ),
    ...section(
      'Reporters',
      REPORTER_NAMES.map((name) => [name, `--reporter ${name}[:file]`]),
    ),
  ];
  process.stdout.write(lines.join('\n'));
  return 0;
}
