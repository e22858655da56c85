import { join } from 'node:path';
import { ROOT } from '../engine.ts';

/** A solution of an exercise that is wrong in one way, what it is sent, and the check that leads. */
export interface Wrong {
  readonly name: string;
  readonly flags: readonly string[];
  readonly leads: string;
  /** Left to `npm run verify:spark`: a stream takes twenty seconds. */
  readonly isLong?: true;
}

const cases = (...ids: readonly string[]) => ids.flatMap((id) => ['--case', id]);
const long = { isLong: true } as const;

/** In `broken/`, one for each rule and trap that the two exercises name. */
export const WRONG: readonly Wrong[] = [
  { name: 'merge-insert-first', flags: cases('segment-change'), leads: 'open-count' },
  { name: 'merge-overwrites', flags: cases('segment-change'), leads: 'version-count' },
  { name: 'merge-gap-of-a-day', flags: cases('segment-change'), leads: 'bounds-valid' },
  { name: 'merge-unchanged-too', flags: cases('no-change'), leads: 'no-repeat' },
  { name: 'merge-no-new-keys', flags: cases('new-key-later'), leads: 'open-count' },
  { name: 'merge-not-null-safe', flags: cases('null-to-value'), leads: 'version-count' },
  { name: 'merge-closed-rows-too', flags: cases('three-changes'), leads: 'closed-stays-closed' },
  { name: 'merge-flag-forgotten', flags: cases('segment-change'), leads: 'current-flag' },
  { name: 'merge-never-closes', flags: cases('segment-change'), leads: 'one-open-version' },
  // No named case has two changes of a key in one micro-batch where any of them may win; random ones have.
  {
    name: 'stream-several-changes',
    flags: ['--feed', join(ROOT, 'test/engines/spark/several-changes.json')],
    leads: 'accepts-legal-input',
  },
  { name: 'stream-closed-now', flags: cases('segment-change'), leads: 'clock-injected' },
  { name: 'stream-repeat-is-a-change', flags: cases('no-change'), leads: 'no-repeat' },
  { name: 'stream-never-closes', flags: cases('segment-change'), leads: 'one-open-version', ...long },
  { name: 'stream-overwrites', flags: cases('segment-change'), leads: 'version-count', ...long },
  { name: 'stream-new-keys-only', flags: cases('segment-change'), leads: 'open-count', ...long },
  { name: 'stream-not-null-safe', flags: cases('value-to-null'), leads: 'version-count', ...long },
  { name: 'stream-flag-forgotten', flags: cases('segment-change'), leads: 'current-flag', ...long },
  { name: 'stream-forgets-its-checkpoint', flags: cases('reopen-a-b-a'), leads: 'version-count', ...long },
];
