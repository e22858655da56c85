import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ContractConfig } from '../config/config.ts';
import type { Declared } from '../contract/declared.ts';
import { suggestion } from '../contract/nearest.ts';
import { PRESETS } from '../contract/presets.ts';
import type { Arguments } from './arguments.ts';
import { UsageError } from './usage-error.ts';

/** What the flags say of the contract: `--contract` and `--set`. The strongest layer. */
export function flagLayer(args: Arguments, cwd: string): Declared[] {
  const lines: Declared[] = [];
  const contract = args.value('contract');
  if (contract !== null) lines.push(...presetOrFile(contract, cwd));
  for (const setting of args.values('set')) {
    const at = setting.indexOf('=');
    if (at < 1) throw new UsageError(`\`--set ${setting}\` needs a field and a value: --set deletes=ignore.`);
    lines.push({ name: setting.slice(0, at), value: setting.slice(at + 1), where: '--set' });
  }
  return lines;
}

function presetOrFile(text: string, cwd: string): Declared[] {
  if (PRESETS.some(({ id }) => id === text)) return [{ name: 'contract', value: text, where: '--contract' }];
  const path = resolve(cwd, text);
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch {
    const presets = PRESETS.map(({ id }) => id);
    throw new UsageError(
      `\`--contract ${text}\` is neither a preset nor a file.${suggestion(text, presets)}`,
    );
  }
  try {
    return [{ name: 'contract', value: JSON.parse(content), where: text }];
  } catch (error) {
    throw new UsageError(`The contract \`${text}\` is not JSON: ${(error as Error).message}`);
  }
}

export function configLayer(contract: ContractConfig | undefined, where: string): Declared[] {
  return contract === undefined ? [] : [{ name: 'contract', value: contract, where }];
}
