import type { Declared } from '../contract/declared.ts';
import type { Implementation } from './implementation.ts';

export type { Declared };

/**
 * An implementation that was found and loaded, but not started: what it declares about itself is known (not
 * validated), and the contract is made from that before the first `start`.
 */
export interface OpenedImplementation extends Implementation {
  readonly declared: readonly Declared[];
}
