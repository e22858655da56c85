import { FOLDINGS, OPTIONS } from '../contract/contract.ts';
import { type Decisions, PRESETS, type Preset, STRICT } from '../contract/presets.ts';
import { code, generated, page, table } from './markdown.ts';

const FIELDS = [...Object.keys(OPTIONS), 'compare', 'keyCompare'] as readonly (keyof Decisions)[];

/** `docs/presets.md`, made from the presets themselves. */
export function presetsPage(): string {
  const decided = FIELDS.filter((field) => PRESETS.some(({ decisions }) => decisions[field] !== undefined));
  const same = FIELDS.filter((field) => !decided.includes(field));
  return page(
    generated('`src/contract/presets/`'),
    '# Presets',
    "A preset is a named contract: `--contract dlt`, `-- scd2check:contract dlt`, `contract: 'dlt'`. It sets every decision; fields that are declared beside it change it. `scd2check probe` tells which options an implementation follows, preset or not.",
    'A preset says what the documentation of a tool says of its defaults. It is not a promise that the tool holds it.',
    '## What each decides',
    'An empty cell is as in `strict`.',
    table(
      ['field', 'strict', ...others().map(({ id }) => id)],
      decided.map((field) => [
        code(field),
        optionText(STRICT[field]),
        ...others().map(({ decisions }) => differing(decisions, field)),
      ]),
    ),
    `As in \`strict\` in all of them: ${same.map((field) => `\`${field}: ${optionText(STRICT[field])}\``).join(', ')}.`,
    ...PRESETS.map(section),
  );
}

function others(): readonly Preset[] {
  return PRESETS.filter(({ id }) => id !== 'strict');
}

function differing(decisions: Partial<Decisions>, field: keyof Decisions): string {
  const own = decisions[field];
  return own === undefined || own === STRICT[field] ? '' : optionText(own);
}

function optionText(option: string | readonly string[]): string {
  return typeof option === 'string'
    ? option
    : FOLDINGS.filter((one) => option.includes(one)).join(' ') || 'sql';
}

function section({ id, title, source, url, decisions, because }: Preset): string {
  const rows = (Object.keys(decisions) as (keyof Decisions)[]).map((field) => [
    code(`${field}: ${optionText(decisions[field]!)}`),
    because[field] ?? '',
  ]);
  const from = url === null ? source : `[${source}](${url})`;
  return [
    `### ${id}`,
    title,
    `Source: ${from}.`,
    rows.length === 0
      ? 'The first option of every field.'
      : table(['decision', 'what the source says'], rows),
  ].join('\n\n');
}
