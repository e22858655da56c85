import type { Role } from '../contract/columns.ts';
import { FOLDINGS, OPTIONS } from '../contract/contract.ts';
import { PRESETS } from '../contract/presets.ts';
import { COMPARE_NOTES, FIELD_NOTES, type FieldNote, FOLDING_NOTES, ROLE_NOTES } from './contract-notes.ts';
import { code, generated, page, table } from './markdown.ts';

/** `docs/contract.md`, made from `OPTIONS`, the presets and the notes. */
export function contractPage(): string {
  return page(
    generated('`src/contract/` and `src/docs/contract-notes.ts`'),
    '# The contract',
    'A contract is the list of decisions that an implementation is held to. What a team may decide one way or another is a field here; what no contract allows is a defect. Without a declared contract an implementation is judged by `strict`: the first option of every field. The exact rules are in [the semantics](semantics.md).',
    'The option `never` says that the source guarantees that a thing does not happen. Such input is not sent.',
    '## Where it is declared',
    'The strongest comes first. A preset sets every decision; fields in the same place then change it.',
    [
      '1. Flags: `--contract daily-merge` or `--contract contract.json`, and `--set deletes=ignore` for one field or column.',
      '2. The configuration file: `contract`, for all implementations or for one.',
      '3. The implementation itself: lines in the head of a SQL script, `export const contract` of a module, `SCD2CHECK` of a Python file, the answer to `hello` of a command.',
      '4. Guesses, for column roles only: a start, an end and a flag under a usual name (`valid_from`, `_tech_valid_from`, `dbt_valid_from`, `start_date`, …) are found, and the report says so.',
    ].join('\n'),
    '`--print-contract` prints what results, with what differs from `strict`.',
    '## Presets',
    table(
      ['preset', 'what it is for'],
      PRESETS.map(({ id, title }) => [code(id), title]),
    ),
    'What each decides, and where its rules come from: [presets](presets.md).',
    '## Columns',
    'A column is written as in SQL: `nk INTEGER`, `full_name TEXT(40) NOT NULL`, `"order" TEXT`. Types are `text` (the default), `integer`, `bigint`, `double`, `decimal(p,s)`, `boolean`, `date` and `timestamp`; the usual SQL names for them are understood. As an object, a column is `{name, type, nullable, maxLength, values, of}`. Nothing is sent that a column cannot hold. A role that is written twice in one place adds up; `none` takes a role away.',
    'Where nobody declares a key or a tracked column, they are those of the seven cases: `customer_id`, `customer_segment` and, untracked, `street`, all text.',
    table(
      ['role', 'the column is'],
      (Object.keys(ROLE_NOTES) as Role[]).map((role) => [code(role), ROLE_NOTES[role]]),
    ),
    '## Decisions',
    ...(Object.keys(OPTIONS) as (keyof typeof OPTIONS)[]).map((field) => fieldSection(field)),
    ...(['compare', 'keyCompare'] as const).map((field) =>
      [
        `### ${field}`,
        COMPARE_NOTES[field],
        [
          '- `sql`: as SQL compares (`strict`)',
          ...FOLDINGS.map((folding) => `- \`${folding}\`: ${FOLDING_NOTES[folding]}`),
        ].join('\n'),
        'Several may be declared, except `sql` with others. They concern text only.',
      ].join('\n\n'),
    ),
    '## Decisions against defects',
    'Where something fails, the harness looks for the option that would explain it: one that the implementation follows wherever it makes a difference. Such a finding is marked `≈` and ends with the line that declares the option. What no option explains is marked `✗`. Where no contract was declared, the two stand in groups of their own: "Decisions that differ from strict" and "Defects under every contract". In the JSON report it is `decision: {field, option}` or null.',
    'The exit code is 1 for either: a decision that nobody wrote down is a question that nobody asked. `scd2check probe` says of every field which option is followed. The search tries every field but `type`, `stamp`, `clock`, `firstStartScope` and `transaction`, and it takes no `never` for an explanation: that a source does not send something says nothing about what the implementation does with it.',
  );
}

function fieldSection(field: keyof typeof OPTIONS): string {
  const { about, options, open, note } = FIELD_NOTES[field] as FieldNote<string>;
  const [strict] = OPTIONS[field].options;
  const lines = OPTIONS[field].options.map(
    (option) => `- \`${option}\`: ${options[option]}${option === strict ? ' (`strict`)' : ''}`,
  );
  return [`### ${field}`, about, lines.join('\n'), open ?? '', note ?? '']
    .filter((part) => part !== '')
    .join('\n\n');
}
