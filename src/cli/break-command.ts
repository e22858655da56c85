import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { applied, codeOf } from '../break/code.ts';
import { mutationsOf } from '../break/mistakes.ts';
import { type Tried, type TryOptions, tryScript } from '../break/try.ts';
import { type Line, lineOf, summaryOf, tableOf } from '../break/words.ts';
import { loadConfig } from '../config/load.ts';
import { declareContract } from '../contract/declare.ts';
import { DEFAULT_LIMITS } from '../plugins/implementation.ts';
import { openSql } from '../plugins/sql.ts';
import { type Arguments, countFlag, parseDuration } from './arguments.ts';
import { configLayer, flagLayer } from './contract-layers.ts';
import { endNow, listenForInterrupt } from './interrupt.ts';
import { UsageError } from './usage-error.ts';

/**
 * `scd2check break <impl.sql>`: makes mistakes in a script that is right, one at a time, and says which would have been caught, by what, and
 * what they would have cost. 0 where every mutant that runs is caught; 1 where some survive, or the script itself is not right yet.
 */
export async function breakCommand(args: Arguments): Promise<number> {
  const cwd = process.cwd();
  const [target, ...more] = args.targets;
  if (target === undefined || more.length > 0 || args.program.length > 0)
    throw new UsageError('`scd2check break` needs one SQL script: scd2check break ./load.sql');
  if (extname(target).toLowerCase() !== '.sql')
    throw new UsageError(`\`scd2check break\` changes SQL scripts, and \`${target}\` is none.`);
  const path = resolve(cwd, target);
  const sql = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`There is no ${target}, so there is nothing to break.`);
  });
  const loaded = await loadConfig(args.value('config'), cwd);
  const { signal, stop } = listenForInterrupt();
  signal.addEventListener('abort', () => endNow('Interrupted.'));
  try {
    const layers = [
      configLayer(loaded.config.contract, loaded.path ?? 'configuration'),
      flagLayer(args, cwd),
    ];
    const timeout = parseDuration(args.value('timeout') ?? '10s', '--timeout');
    const options: TryOptions = {
      path,
      layers,
      sandbox: args.flag('sandbox'),
      scope: countFlag(args, 'scope') ?? 3,
      engine: args.value('engine'),
      limits: { startMs: Math.max(timeout, DEFAULT_LIMITS.startMs), callMs: timeout },
      timeLimitMs: parseDuration(args.value('time-limit') ?? '1m', '--time-limit'),
      signal,
    };
    return await breakScript(sql, options);
  } finally {
    stop();
  }
}

async function breakScript(sql: string, options: TryOptions): Promise<number> {
  const right = await tryScript(sql, options);
  if (right.outcome !== 'survived') {
    say(`The script itself is not right yet: ${why(right)}`);
    say('Make `scd2check` pass first. Breaking it shows nothing before.');
    return 1;
  }
  const code = codeOf(sql);
  const mutations = mutationsOf(code, await columnsOf(options));
  if (mutations.length === 0) {
    say('Nothing was found in the script that could be broken.');
    return 0;
  }
  const lines: Line[] = [];
  for (const [index, mutation] of mutations.entries()) {
    if (process.stderr.isTTY) process.stderr.write(`\r${index + 1}/${mutations.length}`);
    lines.push(lineOf(code, mutation, await tryScript(applied(code, mutation), options)));
  }
  if (process.stderr.isTTY) process.stderr.write('\r');
  say(`${tableOf(lines)}\n\n${summaryOf(lines)}`);
  return lines.some(({ result }) => result === 'SURVIVED') ? 1 : 0;
}

/** What the columns are called, by which mistakes know them. */
async function columnsOf({ path, layers, limits, sandbox, engine }: TryOptions) {
  const implementation = await openSql(path, limits, { sandbox, engine });
  try {
    return declareContract([implementation.declared, ...layers]).contract.columns;
  } finally {
    await implementation.close();
  }
}

function why(tried: Tried): string {
  if (tried.outcome === 'caught') return `${tried.finding.check}: ${tried.finding.message}`;
  return tried.outcome === 'survived' ? '' : tried.reason;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
