import { CASES } from '../../cases/index.ts';
import { wrap } from '../../reporters/text/wrap.ts';
import { ALL_CHECKS, CHECK_IDS } from '../checks/index.ts';
import { suggestion } from '../contract/nearest.ts';
import { PRESETS } from '../contract/presets.ts';
import type { Arguments } from './arguments.ts';
import { UsageError } from './usage-error.ts';

/** `scd2check explain <check|case|contract>`: what it is about, in its own words. */
export function explainCommand(args: Arguments): number {
  const [id] = args.targets;
  const known = [...CHECK_IDS, ...CASES.map((one) => one.id), ...PRESETS.map((preset) => preset.id)];
  if (id === undefined)
    throw new UsageError(
      '`scd2check explain` needs the id of a check, a case or a contract; `scd2check list` shows them.',
    );
  const lines = explainCheck(id) ?? explainCase(id) ?? explainPreset(id);
  if (lines === null)
    throw new UsageError(`There is no check, case or contract \`${id}\`.${suggestion(id, known)}`);
  const width = Math.min(process.stdout.columns ?? 80, 100);
  process.stdout.write(`${lines.flatMap((line) => (line === '' ? [''] : wrap(line, width))).join('\n')}\n`);
  return 0;
}

function explainCheck(id: string): string[] | null {
  const check = ALL_CHECKS.find((one) => one.id === id);
  if (check === undefined) return null;
  const implies =
    check.implies.length === 0
      ? []
      : ['', `Where it fails, these follow and are folded into it: ${check.implies.join(', ')}.`];
  return [`${check.id} (check, ${check.group})`, '', check.title, check.why, ...implies];
}

function explainCase(id: string): string[] | null {
  const found = CASES.find((one) => one.id === id);
  if (found === undefined) return null;
  const needs = Object.entries(found.needs).map(
    ([field, options]) => `${field}: ${Array.isArray(options) ? options.join(' or ') || 'sql' : options}`,
  );
  const batches = found.batches.map(
    ({ asOf, rows }, index) =>
      `  ${index + 1}. ${asOf}: ${rows.length === 0 ? 'nothing' : rows.map((row) => JSON.stringify(row, plain)).join(' ')}`,
  );
  return [
    `${found.id} (case)`,
    '',
    found.title,
    found.why,
    '',
    ...batches,
    '',
    `Then: ${found.expected.versions} versions, ${found.expected.open} open.`,
    ...(needs.length > 0 ? [`Needs ${needs.join('; ')}.`] : []),
    ...(found.source === undefined ? [] : [`Reported in ${found.source}.`]),
  ];
}

function explainPreset(id: string): string[] | null {
  const preset = PRESETS.find((one) => one.id === id);
  if (preset === undefined) return null;
  const fields = Object.entries(preset.decisions).map(([field, option]) => `  ${field}: ${option}`);
  return [
    `${preset.id} (contract)`,
    '',
    preset.title,
    `Source: ${preset.source}.`,
    '',
    ...(fields.length === 0 ? ['The first option of every field.'] : fields),
  ];
}

function plain(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
