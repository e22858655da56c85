import { distance } from 'fastest-levenshtein';

/** The known name that is closest to what was written, or null where none is near enough to be meant. */
export function nearest(written: string, known: readonly string[]): string | null {
  const target = written.toLowerCase();
  const ranked = known
    .map((name) => ({ name, edits: distance(target, name.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best !== undefined && best.edits <= Math.max(3, Math.ceil(best.name.length / 2)) ? best.name : null;
}

/** ` Did you mean X?`, or the list of what there is. */
export function suggestion(written: string, known: readonly string[]): string {
  const near = nearest(written, known);
  return near === null ? ` Known: ${known.join(', ')}.` : ` Did you mean \`${near}\`?`;
}
