import { loadConfig } from '../config/load.ts';
import { declareContract } from '../contract/declare.ts';
import { doctor } from '../plugins/doctor.ts';
import { requireClock } from '../plugins/set-clock.ts';
import type { Arguments } from './arguments.ts';
import { configLayer, flagLayer } from './contract-layers.ts';
import { endNow, listenForInterrupt } from './interrupt.ts';
import { openTarget } from './open-target.ts';
import { UsageError } from './usage-error.ts';

/** `scd2check doctor <impl>`: 0 where the adapter works, 3 where it does not. */
export async function doctorCommand(args: Arguments): Promise<number> {
  const [path, ...more] = args.targets;
  if ((path === undefined) === (args.program.length === 0) || more.length > 0) {
    throw new UsageError(
      '`scd2check doctor` needs one implementation: scd2check doctor ./my-impl.py, or scd2check doctor -- <command …>.',
    );
  }
  const loaded = await loadConfig(args.value('config'), process.cwd());
  const target = { path: path ?? args.program.join(' '), program: args.program, cwd: process.cwd() };
  const { signal, stop } = listenForInterrupt();
  signal.addEventListener('abort', () => endNow('Interrupted.'));
  const opened = await openTarget(target, args, loaded.config.timeout);
  try {
    const { contract } = declareContract([
      opened.declared,
      configLayer(loaded.config.contract, loaded.path ?? 'configuration'),
      flagLayer(args, process.cwd()),
    ]);
    requireClock(opened, contract);
    const { ok, lines } = await doctor(opened, contract);
    for (const line of lines) process.stdout.write(`${line.ok ? 'ok  ' : 'FAIL'}  ${line.text}\n`);
    process.stdout.write(
      ok ? '\nThe adapter works. Next: scd2check <impl>\n' : '\nThe adapter cannot be judged yet.\n',
    );
    return ok ? 0 : 3;
  } finally {
    await opened.close();
    stop();
  }
}
