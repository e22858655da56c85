import { COMPARING } from './list/comparing.ts';
import { DELETING } from './list/deleting.ts';
import { JOINING } from './list/joining.ts';
import { KEEPING } from './list/keeping.ts';
import { KEYS } from './list/keys.ts';
import { LATE } from './list/late.ts';
import { likewise } from './list/likewise.ts';
import { LOADING } from './list/loading.ts';
import { SCRIPTS } from './list/scripts.ts';
import { STAMPING } from './list/stamping.ts';
import { OF_TYPES } from './list/types.ts';
import type { Mutant } from './mutant.ts';

const OF_RULES: readonly Mutant[] = [
  ...COMPARING,
  ...KEYS,
  ...STAMPING,
  ...LATE,
  ...DELETING,
  ...LOADING,
  ...KEEPING,
];

/** Every mutant, by what it gets wrong. */
export const MUTANTS: readonly Mutant[] = [
  ...OF_RULES,
  ...likewise(OF_RULES),
  ...OF_TYPES,
  ...JOINING,
  ...SCRIPTS,
];

/** Checks that never lead: whatever fails them fails another one first, which says more. */
export const ALWAYS_FOLLOW: readonly string[] = ['reconciles'];
