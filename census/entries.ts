import type { Entry } from './entry.ts';
import { pygrametl } from './pygrametl/entry.ts';
import { scduck } from './scduck/entry.ts';

/** All of the census, in the order of its page. */
export const ENTRIES: readonly Entry[] = [scduck, pygrametl];
