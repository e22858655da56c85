import { TYPES } from '../../contract/types.ts';
import type { ImplementationKind } from '../../plugins/implementation.ts';
import type { RepetitionCheck } from '../check.ts';

const WHY_NOT: Readonly<Record<ImplementationKind, string>> = {
  function: 'a function cannot be stopped half-way: its state is what it returns, or ends with its process',
  sql: 'its setup leaves something in the connection (a temporary table, a setting) that a new one does not have',
  command: 'its state ends with its process (one that keeps it elsewhere says so: the capability `durable`)',
  python: 'its state ends with its process',
  dbt: 'its scratch database ends with the process that dbt runs in',
};

export const crashSafe: RepetitionCheck = {
  id: 'crash-safe',
  group: 'repetition',
  types: TYPES,
  title: 'A load that died half-way and is run again leaves what one run would have left.',
  why: 'Closed and never reopened, or inserted and inserted again: the rerun reports success, and customers are missing or counted twice from that night on.',
  implies: [],
  skip: ({ clock }, { kind, interruptible }) => {
    if (interruptible !== true) return WHY_NOT[kind];
    return clock === 'wall' ? 'stamps come from a clock that is another one in each run' : null;
  },
  message: ({ kind, point, points, reason }) => {
    const stopped =
      kind === 'sql'
        ? `A load that was stopped after statement ${point} of ${Number(points) + 1} and run again`
        : 'A load that was killed half-way and run again';
    return reason === undefined
      ? `${stopped} left another dimension than an undisturbed one.`
      : `${stopped} raised an error: ${reason}`;
  },
};
