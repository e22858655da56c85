/**
 * The extracts of a source, kept, and the versions that follow from them. All types of dimensions can be read off these: what a type is,
 * is a question of what is shown of a key's versions.
 */
export type Row = Record<string, unknown>;
export type Columns = Record<'key' | 'tracked' | 'untracked' | 'previous' | 'current', string[]> &
  Record<'validFrom', string> &
  Record<'validTo' | 'isCurrent' | 'inHistory', string | null>;
/** What a function is told of its contract, as far as it matters here. */
export type Contract = { columns: Columns; of: Record<string, string> };
export type Version = { row: Row; from: string; to: string | null };

export class Snapshots {
  /** Rows by key, by instant. ISO text of one length sorts as time does. */
  readonly #byInstant = new Map<string, Map<string, Row>>();

  /** An extract that is delivered again takes the place of its former self. */
  add(rows: Row[], asOf: string, { key }: Columns): void {
    this.#byInstant.set(asOf, new Map(rows.map((row) => [identity(row, key), row])));
  }

  /** The versions of each key, in the order of time. */
  versions({ tracked }: Columns): Version[][] {
    const versions = new Map<string, Version[]>();
    for (const [asOf, rows] of [...this.#byInstant].sort(([a], [b]) => (a < b ? -1 : 1))) {
      for (const [key, of] of versions) {
        const last = of.at(-1)!;
        const row = rows.get(key);
        if (last.to === null && (!row || identity(row, tracked) !== identity(last.row, tracked)))
          last.to = asOf;
      }
      for (const [key, row] of rows) {
        const of = versions.get(key) ?? [];
        const last = of.at(-1);
        if (last?.to === null)
          last.row = row; // Same tracked values; the untracked ones may be newer.
        else of.push({ row, from: asOf, to: null });
        versions.set(key, of);
      }
    }
    return [...versions.values()];
  }
}

/** Equal texts for equal values, NULL, NaN, −0 and bigint included. The type keeps NULL apart from 'null'. */
export function identity(row: Row, names: string[]): string {
  return JSON.stringify(names.map((name) => row[name] ?? null).map((value) => `${typeof value} ${value}`));
}

/** The key and the attributes of a row. */
export function attributes({ row }: Version, { key, tracked, untracked }: Columns): Row {
  return Object.fromEntries([...key, ...tracked, ...untracked].map((name) => [name, row[name] ?? null]));
}

/** A version as a row with its bounds. */
export function bounded(version: Version, columns: Columns): Row {
  const { validFrom, validTo, isCurrent } = columns;
  return {
    ...attributes(version, columns),
    [validFrom]: version.from,
    ...(validTo && { [validTo]: version.to }),
    ...(isCurrent && { [isCurrent]: version.to === null }),
  };
}
