import type { KnownFinding } from '../config/config.ts';
import type { Finding, KnownResult } from './report.ts';

/** What the configuration accepts, and what of it is gone: named, so that its line can be removed. */
export function knownResults(
  known: readonly KnownFinding[],
  findings: readonly Finding[],
  isGone: (id: string) => boolean,
): KnownResult[] {
  const found = new Set(findings.map(({ id }) => id));
  return known.map(({ id, reason }) => ({ id, reason, gone: !found.has(id) && isGone(id) }));
}
