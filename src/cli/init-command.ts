import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { ContractConfig } from '../config/config.ts';
import { declareContract } from '../contract/declare.ts';
import { suggestion } from '../contract/nearest.ts';
import { askOpen, type Open } from '../init/ask.ts';
import { type Beginning, CIS, filesOf, KINDS } from '../init/files.ts';
import type { Arguments } from './arguments.ts';
import { flagLayer } from './contract-layers.ts';
import { writeWhole } from './output.ts';
import { UsageError } from './usage-error.ts';
import { version } from './version.ts';

/** `scd2check init [folder]`: asks three things, or takes flags, and writes what a project begins with. Nothing that is there is touched. */
export async function initCommand(args: Arguments): Promise<number> {
  const [target = '.', ...more] = args.targets;
  if (more.length > 0)
    throw new UsageError(`\`scd2check init\` takes one folder, and got \`${more.join(' ')}\` too.`);
  const folder = resolve(target);
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new UsageError(`\`${target}\` is a file. Name a folder, or none for this one.`);
  const open: Open = {
    kind: choice(args, 'kind', KINDS),
    contract: declared(args),
    ci: choice(args, 'ci', CIS),
  };
  const beginning = await settle(open);
  if (beginning === null) {
    process.stderr.write('\nscd2check: Interrupted. Nothing was written.\n');
    return 130;
  }
  const files = filesOf(beginning, version());
  refuseToOverwrite(folder, [...files.keys()]);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeWhole(join(folder, path), text);
  }
  const written = [...files.keys(), ...ignoreRuns(folder)];
  const go = relative(process.cwd(), folder);
  process.stdout.write(
    [
      ...written.map((path) => `wrote ${join(go, path)}`),
      '',
      'The starter holds the contract `strict`. Run it, then make it yours:',
      ...(go === '' ? [] : [`  cd ${go}`]),
      '  npx scd2check',
      '',
    ].join('\n'),
  );
  return 0;
}

/** On a terminal what is open is asked; elsewhere the first of each is taken, and named by what is written. */
async function settle(open: Open): Promise<Beginning | null> {
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  if (isTerminal && Object.values(open).includes(null))
    return askOpen(open, { input: process.stdin, output: process.stdout });
  return { kind: open.kind ?? 'sql', contract: open.contract ?? 'strict', ci: open.ci ?? 'github' };
}

function choice<T extends string>(args: Arguments, flag: 'kind' | 'ci', table: Record<T, unknown>): T | null {
  const text = args.value(flag);
  if (text === null || Object.hasOwn(table, text)) return text as T | null;
  const names = Object.keys(table);
  throw new UsageError(
    `\`--${flag}\` cannot be \`${text}\`: it is one of ${names.join(', ')}.${suggestion(text, names)}`,
  );
}

/** What `--contract` and `--set` say, as the configuration writes it. */
function declared(args: Arguments): ContractConfig | null {
  const lines = flagLayer(args, process.cwd());
  if (lines.length === 0) return null;
  // Wrong words are refused here, and not by the first run.
  declareContract([lines]);
  const fields = lines.filter(({ name }) => name !== 'contract').map(({ name, value }) => [name, value]);
  const contract = lines.find(({ name }) => name === 'contract')?.value;
  if (fields.length === 0) return contract as ContractConfig;
  const base = typeof contract === 'object' ? contract : { preset: contract ?? 'strict' };
  return { ...base, ...Object.fromEntries(fields) };
}

function refuseToOverwrite(folder: string, paths: readonly string[]): void {
  const there = paths.filter((path) => existsSync(join(folder, path)));
  if (there.length > 0)
    throw new UsageError(
      `${there.map((path) => `\`${path}\``).join(', ')} ${there.length === 1 ? 'is' : 'are'} there already, and nothing is overwritten. ` +
        'Nothing was written. Name another folder: scd2check init <folder> (or leave the workflow out: --ci none).',
    );
}

/** Runs leave files behind that belong under no version control. */
function ignoreRuns(folder: string): readonly string[] {
  const path = join(folder, '.gitignore');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (/^\/?\.scd2check\/?$/m.test(text)) return [];
  writeWhole(path, `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}.scd2check/\n`);
  return ['.gitignore'];
}
