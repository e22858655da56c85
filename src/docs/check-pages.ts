import type { Check, CheckWords, RepetitionCheck } from '../checks/check.ts';
import { ALL_CHECKS, CHECKS, REPETITION_CHECKS } from '../checks/index.ts';
import { TYPES, VERSIONED } from '../contract/types.ts';
import { CHECK_NOTES } from './check-notes.ts';
import { applicability, baseContract, queryDependsOn, skippedFor } from './dependence.ts';
import { code, dedent, fenced, generated, listed, page, table } from './markdown.ts';
import { RELATIONS } from './relations.ts';

/** A page for each check and an index, by file name in `docs/checks/`: made from the check objects and from nothing else but `check-notes.ts`. */
export function checkPages(): ReadonlyMap<string, string> {
  const pages = [...CHECKS, ...REPETITION_CHECKS].map((check): [string, string] => [
    `${check.id}.md`,
    checkPage(check),
  ]);
  return new Map([...pages, ['README.md', index()]]);
}

type Group = CheckWords['group'];

const GROUPS: Readonly<Record<Group, { readonly title: string; readonly about: string }>> = {
  table: {
    title: 'On the table alone',
    about: 'They need nothing but the dimension.',
  },
  oracle: {
    title: 'Against the oracle',
    about: 'They compare the dimension with the versions that the feed and the contract call for.',
  },
  'as-of': {
    title: 'As of',
    about:
      'They join facts with amounts to the dimension, placed at every boundary, just before and after it, and between.',
  },
  time: {
    title: 'Over time',
    about: 'They look at what a load did: from one dimension to the next.',
  },
  repetition: {
    title: 'By repetition',
    about:
      'They deliver the same batches in two ways that must lead to the same dimension. How is in `src/repetition/`.',
  },
};

const FOLDERS: Readonly<Record<Group, string>> = {
  table: 'table',
  oracle: 'against-oracle',
  'as-of': 'as-of',
  time: 'over-time',
  repetition: 'by-repetition',
};

function checkPage(check: Check | RepetitionCheck): string {
  const { samples, reading } = CHECK_NOTES[check.id] ?? { samples: [], reading: '' };
  const follows = CHECKS.filter(({ implies }) => implies.includes(check.id)).map(({ id }) => id);
  const file = `src/checks/${FOLDERS[check.group]}/${check.id}.ts`;
  return page(
    generated(`\`${file}\``),
    `# ${check.id}`,
    `**${check.title}**`,
    check.why,
    `Group: ${GROUPS[check.group].title.toLowerCase()}. Defined in [\`${file}\`](../../${file}).`,
    '## When it applies',
    applies(check),
    '## Its message',
    samples.map((found) => `> ${check.message(found)}`).join('\n>\n'),
    reading,
    check.group === 'repetition'
      ? ''
      : 'Instants are UTC. `[from, to)` holds from its start up to its end, the end not included, whatever form ends have in the table.',
    '## What follows from it',
    check.implies.length === 0
      ? 'Nothing: where it fails, no other check fails because of it.'
      : `Where it fails, these may fail because of it, and a report folds them into it: ${links(check.implies)}.`,
    follows.length === 0
      ? 'It follows from no other check: it always leads.'
      : `It is folded into any of these that fail at the same place: ${links(follows)}.`,
    ...(check.group === 'repetition' ? [] : query(check)),
  );
}

function query(check: Check): string[] {
  const judging = { contract: baseContract(check), oracle: true };
  return [
    '## The query',
    `It returns one row for each violation. The relations are described in [the index](README.md#the-relations).${varies(check)}`,
    fenced('sql', dedent(check.violations(judging))),
    'How often it was put to the test (`exercised` in the JSON report):',
    fenced('sql', dedent(check.exercised(judging))),
  ];
}

function links(ids: readonly string[]): string {
  return listed(ids.map((id) => `[${id}](${id}.md)`));
}

function applies(check: Check | RepetitionCheck): string {
  const contract = `${ofTypes(check)} ${appliesUnder(check)}`;
  const kinds = check.group === 'repetition' ? skippedFor(check) : [];
  if (kinds.length === 0) return contract;
  const lines = kinds.map(([kind, reason]) => `- \`${kind}\`: ${reason}.`);
  return `${contract}\n\nThe implementation must be one that can be interrupted. Where it is not, the check is skipped, by kind:\n\n${lines.join('\n')}`;
}

function ofTypes({ types = VERSIONED }: CheckWords): string {
  if (types.length === TYPES.length) return 'To dimensions of every type.';
  return `To dimensions of type ${listed(types.map(String), 'or')}.`;
}

/** The contract that a page begins with. */
function baseName(check: CheckWords): string {
  const { type } = baseContract(check);
  return type === '2' ? '`strict`' : `\`strict\` with \`type: ${type}\``;
}

function appliesUnder(check: Check | RepetitionCheck): string {
  const { skippedUnderBase, changedBy } = applicability(check);
  if (skippedUnderBase !== null) {
    const where = listed(
      changedBy.map(({ written }) => written),
      'or',
    );
    return `Under ${baseName(check)} it is skipped: ${skippedUnderBase}. It applies with ${where}.`;
  }
  if (changedBy.length === 0) return 'Under every contract.';
  const skips = changedBy.map(({ written, reason }) => `- ${written}: ${reason}.`);
  return `It is skipped with\n\n${skips.join('\n')}`;
}

function varies(check: Check): string {
  const fields = queryDependsOn(check);
  return fields.length === 0
    ? ''
    : ` This is the query under ${baseName(check)}; it depends on ${listed(fields.map(code))}.`;
}

function index(): string {
  const groups = (Object.keys(GROUPS) as Group[]).map((group) => {
    const rows = ALL_CHECKS.filter((check) => check.group === group).map(({ id, title }) => [
      `[${id}](${id}.md)`,
      title,
    ]);
    return page(
      `## ${GROUPS[group].title}`,
      GROUPS[group].about,
      table(['check', 'what must hold'], rows),
    ).trimEnd();
  });
  return page(
    generated('`src/checks/`'),
    '# Checks',
    `${ALL_CHECKS.length} checks, each in a file of its own: a name, a sentence, a reason and a query that returns the offending rows of any batch; or, by repetition, two ways to deliver the same batches. A check that cannot apply under the contract is \`skipped\`, with the reason. One that applies and was never put to the test is \`inconclusive\`; it does not pass.`,
    '`scd2check explain <check>` says the same in the terminal; `--check <id>` runs only some, `--skip <id>` leaves some out.',
    ...groups,
    '## The relations',
    'Queries are written over these. `key`, `state` and `extra` are numbers that stand for the key, the tracked and the untracked attributes as the contract compares them: equal numbers, equal values. Instants are microseconds since the epoch, UTC. `feed` and `step` say where: the dimension after batch `step` of a feed.',
    table(
      ['relation', 'one row is'],
      RELATIONS.map(({ name, about }) => [code(name), about]),
    ),
  );
}
