import { UnreadableDimension } from '../checks/held.ts';
import type { DeclaredContract } from '../contract/declare.ts';
import { ImplementationFailure } from '../plugins/implementation.ts';
import type { OpenedImplementation } from '../plugins/opened.ts';

/**
 * The form of batches, where nobody declared a decision and rows have a column for an instant of their own: whether a batch is a log of
 * changes, or a snapshot whose rows date themselves, cannot be judged by sending the other. As columns are guessed, so is this.
 *
 * @returns the contract in which to send, and a sentence for the report; unchanged where there is nothing to guess, or no usable answer
 */
export async function guessForm(
  implementation: OpenedImplementation,
  declared: DeclaredContract,
): Promise<{ readonly declared: DeclaredContract; readonly notes: readonly string[] }> {
  const { contract, decided } = declared;
  if (decided || contract.columns.changedAt === null) return { declared, notes: [] };
  // Few runs come here, and none of the others should wait for what a probe needs.
  const { probe } = await import('./probe.ts');
  const probed = await probe(implementation, declared).catch((error: unknown) => {
    if (error instanceof ImplementationFailure || error instanceof UnreadableDimension) return null;
    throw error;
  });
  if (probed === null || probed.isBlind) return { declared, notes: [] };
  const { feed, stamp, changeBy } = probed.contract;
  const found = { feed, stamp, changeBy };
  const other = (Object.keys(found) as (keyof typeof found)[]).filter(
    (field) => found[field] !== contract[field],
  );
  if (other.length === 0) return { declared, notes: [] };
  const words = other.map((field) => `\`${field}: ${found[field]}\``).join(', ');
  return {
    declared: { ...declared, contract: { ...contract, ...found } },
    notes: [
      `Rows have an instant of their own (\`${contract.columns.changedAt.name}\`), and it follows ${words}; batches are sent and judged in that form. Declare it.`,
    ],
  };
}
