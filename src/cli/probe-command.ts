import { renderProbe } from '../../reporters/probe/terminal.ts';
import { loadConfig } from '../config/load.ts';
import { ownContract } from '../config/own-contract.ts';
import { declareContract } from '../contract/declare.ts';
import type { ProbeReport } from '../probe/report.ts';
import type { Arguments } from './arguments.ts';
import { configLayer, flagLayer } from './contract-layers.ts';
import { endNow, listenForInterrupt } from './interrupt.ts';
import { openTarget } from './open-target.ts';
import { writeWhole } from './output.ts';
import { UsageError } from './usage-error.ts';
import { version } from './version.ts';

/**
 * `scd2check probe <impl>`: which contract an implementation follows. 0 where it follows one option of every field that could be asked (the
 * declared one, where there is one), 1 where it does not.
 */
export async function probeCommand(args: Arguments): Promise<number> {
  const [path, ...more] = args.targets;
  if ((path === undefined) === (args.program.length === 0) || more.length > 0) {
    throw new UsageError(
      '`scd2check probe` needs one implementation: scd2check probe ./my-impl.sql, or scd2check probe -- <command …>.',
    );
  }
  const cwd = process.cwd();
  const outputs = outputsOf(args);
  const loaded = await loadConfig(args.value('config'), cwd);
  const { probe } = await import('../probe/probe.ts');
  const { describe } = await import('../probe/describe.ts');
  const { isConsistent } = await import('../probe/report.ts');
  const target = { path: path ?? args.program.join(' '), program: args.program, cwd };
  const where = loaded.path ?? 'configuration';
  const own = path === undefined ? undefined : ownContract(loaded, path, cwd);
  const { signal, stop } = listenForInterrupt();
  signal.addEventListener('abort', () => endNow('Interrupted.'));
  const opened = await openTarget(target, args, loaded.config.timeout);
  try {
    const declared = declareContract([
      opened.declared,
      [...configLayer(loaded.config.contract, where), ...configLayer(own, where)],
      flagLayer(args, cwd),
    ]);
    const started = performance.now();
    const probed = await probe(opened, declared);
    const report = describe(probed, declared, {
      tool: { name: 'scd2check', version: version() },
      implementation: { name: opened.name, kind: opened.kind },
      totalMs: Math.round(performance.now() - started),
    });
    for (const output of outputs) output(report);
    if (args.flag('write')) {
      const { writeContract } = await import('../probe/write.ts');
      const isConfigured = own !== undefined || loaded.config.contract !== undefined;
      const sentence = await writeContract(report, { ...target, config: loaded.path, isConfigured });
      process.stderr.write(`${sentence}\n`);
    }
    return isConsistent(report) ? 0 : 1;
  } finally {
    await opened.close();
    stop();
  }
}

function outputsOf(args: Arguments): readonly ((report: ProbeReport) => void)[] {
  const wanted = args.values('reporter').length > 0 ? args.values('reporter') : ['terminal'];
  return wanted.map((text) => {
    const [name, ...rest] = text.split(':');
    const file = rest.join(':') || '-';
    if (name !== 'terminal' && name !== 'json')
      throw new UsageError(
        `\`scd2check probe\` writes \`--reporter terminal\` or \`json\`, to a file too (json:probe.json); not \`${text}\`.`,
      );
    const isScreen = file === '-' && process.stdout.isTTY === true;
    const color =
      file === '-' &&
      !args.flag('no-color') &&
      !process.env['NO_COLOR'] &&
      (isScreen || ![undefined, '0'].includes(process.env['FORCE_COLOR']));
    const page = {
      width: isScreen ? process.stdout.columns : 80,
      color,
      quiet: args.flag('quiet'),
    };
    return (report) => {
      const written = name === 'json' ? `${JSON.stringify(report, null, 2)}\n` : renderProbe(report, page);
      if (file === '-') process.stdout.write(written);
      else writeWhole(file, written);
    };
  });
}
