import { createInterface } from 'node:readline/promises';
import type { Case } from '../../cases/case.ts';
import { BOUNDARY_IDS, CASES } from '../../cases/index.ts';
import { loadConfig } from '../config/load.ts';
import type { Contract } from '../contract/contract.ts';
import { declareContract } from '../contract/declare.ts';
import { suggestion } from '../contract/nearest.ts';
import { contractToJson } from '../contract/print.ts';
import { readAnswers } from '../worksheet/answers.ts';
import { contractFrom, disagreements } from '../worksheet/compare.ts';
import { FORMS, type Form } from '../worksheet/forms.ts';
import { type Figures, questionOf } from '../worksheet/worksheet.ts';
import { type Arguments, parseArguments } from './arguments.ts';
import { configLayer, flagLayer } from './contract-layers.ts';
import { writeWhole } from './output.ts';
import { UsageError } from './usage-error.ts';

/**
 * `scd2check worksheet`: the boundary cases as questions. `--check answers.csv` holds answers against a contract (1 where they differ),
 * `--contract-from answers.csv` makes a contract of them, `--predict <impl>` asks which case will fail before it runs them.
 */
export async function worksheetCommand(args: Arguments): Promise<number> {
  const cases = selectedCases(args);
  if (args.flag('predict')) return predict(args, cases);
  if (args.targets.length > 0)
    throw new UsageError(
      `\`scd2check worksheet\` takes no \`${args.targets[0]}\`. To run it: --predict ${args.targets[0]}`,
    );
  const answersPath = args.value('contract-from') ?? args.value('check');
  if (answersPath === null) return print(args, cases);
  const loaded = await loadConfig(args.value('config'), process.cwd());
  const { contract } = declareContract([
    configLayer(loaded.config.contract, loaded.path ?? 'configuration'),
    flagLayer(args, process.cwd()),
  ]);
  const answers = await readAnswers(answersPath, CASES);
  if (args.flag('contract-from')) return printContractFrom(contract, answers);
  return check(contract, answers, args.value('contract') ?? 'strict');
}

function selectedCases(args: Arguments): readonly Case[] {
  const wanted = args.values('case').flatMap((id) => (id === 'boundary' ? BOUNDARY_IDS : [id]));
  const ids = wanted.length === 0 ? BOUNDARY_IDS : wanted;
  const known = CASES.map(({ id }) => id);
  const strange = ids.find((id) => !known.includes(id));
  if (strange !== undefined)
    throw new UsageError(`There is no case \`${strange}\`.${suggestion(strange, known)}`);
  return CASES.filter(({ id }) => ids.includes(id));
}

function print(args: Arguments, cases: readonly Case[]): number {
  const names = Object.keys(FORMS) as Form[];
  const wanted = args.values('reporter').length > 0 ? args.values('reporter') : ['markdown'];
  for (const reporter of wanted) {
    const [name, ...rest] = reporter.split(':');
    const form = names.find((known) => known === name);
    if (form === undefined)
      throw new UsageError(
        `A worksheet is \`--reporter markdown\`, \`csv\` or \`html\`, to a file too (html:worksheet.html); not \`${reporter}\`.`,
      );
    const text = FORMS[form](cases.map(questionOf));
    const file = rest.join(':') || '-';
    if (file === '-') process.stdout.write(text);
    else writeWhole(file, text);
  }
  return 0;
}

function check(contract: Contract, answers: Awaited<ReturnType<typeof readAnswers>>, name: string): number {
  const found = disagreements(CASES, contract, answers);
  if (found.length === 0) {
    say(`All ${answers.size} answers are those of the contract (${name}).`);
    return 0;
  }
  say(
    `${found.length} of ${answers.size} answers differ from the contract (${name}). Each is a decision to make:\n`,
  );
  for (const { id, answer, contract: own, options } of found) {
    say(`≠ ${id}: you say ${figuresText(answer)}; the contract says ${figuresText(own)}.`);
    const ways = options.map(({ field, option }) => `\`${field}: ${option}\``);
    say(
      ways.length > 0
        ? `  That is what ${ways.join(' or ')} means.`
        : '  No single option of the contract says so.',
    );
  }
  say('\nWhere the answers are meant: scd2check worksheet --contract-from <answers.csv>');
  return 1;
}

function printContractFrom(start: Contract, answers: Awaited<ReturnType<typeof readAnswers>>): number {
  const { contract, decisions, left } = contractFrom(CASES, start, answers);
  if (left.length > 0) {
    process.stderr.write(
      `scd2check: no contract gives all these answers together; without one: ${left.join(', ')}. \`worksheet --check\` says what the contract says of them.\n`,
    );
    return 1;
  }
  const { columns: _, ...fields } = contractToJson(contract);
  say(JSON.stringify(fields, null, 2));
  if (contract.grain !== 'microsecond' && contract.sameInstant === 'never')
    process.stderr.write(
      `At this grain two loads of one ${contract.grain} are one instant. Figures do not tell which of them wins: declare \`sameInstant\` too.\n`,
    );
  const differs = decisions.map(({ field, option }) => `${field}: ${option}`).join(', ');
  process.stderr.write(
    `From ${answers.size} answers: ${differs === '' ? 'as in the contract they were held against' : differs}. Save it, and: scd2check --contract <file> <impl>\n`,
  );
  return 0;
}

function figuresText(figures: Figures | null): string {
  if (figures === null) return 'that a load is refused';
  return `${figures.versions} ${figures.versions === 1 ? 'version' : 'versions'}, ${figures.open} open`;
}

/** First what people think, then what is so. */
async function predict(args: Arguments, cases: readonly Case[]): Promise<number> {
  const [path, ...more] = args.targets;
  if (path === undefined || more.length > 0)
    throw new UsageError(
      '`scd2check worksheet --predict` needs one implementation: scd2check worksheet --predict ./my-impl.sql',
    );
  const ids = cases.map(({ id }) => id);
  for (const theCase of cases) {
    const { id, loads } = questionOf(theCase);
    say(`${id}\n${loads.map((load, at) => `  ${at + 1}. ${load}`).join('\n')}`);
  }
  const said = await answerTo(`\nWhich of these will ${path} fail? (names, or none) `);
  const named = said.split(/[\s,]+/).filter((word) => word !== '' && word !== 'none');
  const strange = named.find((id) => !ids.includes(id));
  if (strange !== undefined)
    throw new UsageError(`There is no case \`${strange}\` here.${suggestion(strange, ids)}`);
  const { failed, skipped } = await runThem(args, path, ids);
  say(`\nYou said: ${named.join(', ') || 'none'}.\nIt fails: ${failed.join(', ') || 'none'}.`);
  const isRight = failed.length === named.length && failed.every((id) => named.includes(id));
  if (skipped.length > 0) say(`Its contract excludes: ${skipped.join(', ')}.`);
  if (isRight) say('You were right.');
  else if (failed.length > 0) say(`To see why: scd2check ${path} --case ${failed[0]}`);
  return failed.length === 0 ? 0 : 1;
}

async function answerTo(question: string): Promise<string> {
  process.stdout.write(question);
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) {
    lines.close();
    return line.trim();
  }
  throw new UsageError('There was no answer: type the names of cases, or `none`.');
}

async function runThem(args: Arguments, path: string, ids: readonly string[]) {
  const { runCases } = await import('./run-command.ts');
  const flags = (['contract', 'set', 'config', 'timeout'] as const).flatMap((name) =>
    args.values(name).flatMap((value) => [`--${name}`, value]),
  );
  const { cases } = await runCases(parseArguments([path, '--case', ids.join(','), ...flags]));
  const those = (wanted: string) => cases.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
  return { failed: those('fail'), skipped: those('skipped') };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
