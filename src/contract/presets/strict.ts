import type { Preset } from '../presets.ts';

/** The contract of the seven boundary cases: the first option of every field. */
export const strict: Preset = {
  id: 'strict',
  title:
    'A full snapshot each load, late loads applied as if in order, absence closes, nothing else excused.',
  source: 'the seven boundary cases',
  url: null,
  decisions: {},
  because: {},
};
