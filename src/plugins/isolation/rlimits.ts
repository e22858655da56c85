import type { IsolationLimits } from './isolation.ts';

/**
 * Arguments of `prlimit`, before its `--`. `data` is what a process may write to of memory: Node reserves far more addresses than it uses, so that
 * a limit on addresses (`as`) would keep it from starting.
 * @param countsProcesses whether the user that is counted runs this submission and nothing else
 */
export function rlimits(
  { memoryBytes, processes, diskBytes }: IsolationLimits,
  countsProcesses: boolean,
): string[] {
  return [
    `--data=${memoryBytes}`,
    `--fsize=${diskBytes}`,
    '--core=0',
    '--nofile=1024',
    ...(countsProcesses ? [`--nproc=${processes}`] : []),
  ];
}
