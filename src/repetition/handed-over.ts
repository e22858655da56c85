import type { Batch, Implementation, Session, Setup } from '../plugins/implementation.ts';

/** The implementation, with a session of its own for some batches: it is given the dimension as the last one left it. */
export function withHandovers(implementation: Implementation, at: ReadonlySet<number>): Implementation {
  const { name, kind, anyColumns } = implementation;
  return {
    name,
    kind,
    anyColumns,
    start: async (setup) => handedOver(implementation, setup, await implementation.start(setup), at),
    close: () => implementation.close(),
  };
}

function handedOver(
  implementation: Implementation,
  setup: Setup,
  first: Session,
  at: ReadonlySet<number>,
): Session {
  let session = first;
  return {
    async apply(batch: Batch) {
      if (at.has(batch.index)) {
        const dimension = await session.read();
        await session.close();
        session = await implementation.start({ ...setup, dimension });
      }
      return session.apply(batch);
    },
    read: () => session.read(),
    close: () => session.close(),
  };
}
