import { readFile } from 'node:fs/promises';

/** A defect that people reported: the smallest feed that shows it, the right dimension and the wrong one. */
export interface Entry {
  readonly id: string;
  readonly source: string;
  readonly kind: string;
  /** Contract fields. What an entry leaves open follows from its feed (complete.ts). */
  readonly contract: Readonly<Record<string, unknown>>;
  /** Why no feed and contract say what happened; then nothing else of the entry is looked at. */
  readonly unexpressed?: string;
  readonly key: readonly string[];
  readonly tracked?: readonly string[];
  /** Types of columns, in the words of SQL or of the report. */
  readonly types?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, unknown>>;
  /** Present where the position of rows in a batch says which is the later one. */
  readonly order?: string;
  readonly batches: readonly EntryBatch[];
  readonly expected: unknown;
  readonly wrong: unknown;
  /** Checks that the report's reader would expect to fail. */
  readonly checks: readonly string[];
}

export interface EntryBatch {
  readonly as_of: string;
  readonly rows: readonly Raw[];
  /** Another order of the columns. */
  readonly columns?: readonly string[];
  /** What else happens there, in words: a crash, a reset, two runs at once. */
  readonly action?: string;
}

/** A row as it stands in the file: of a batch, of a dimension (with `from` and `to`), or of an as-of lookup (with `at`). */
export type Raw = Readonly<Record<string, unknown>>;

/** What came of the feed, or should have. */
export type Result =
  | { readonly kind: 'table'; readonly rows: readonly Raw[] }
  /** What a reader finds at given instants: `at`, `matches`, and the attributes found. */
  | { readonly kind: 'as-of'; readonly lookups: readonly Raw[] }
  /** The last batch was not applied. */
  | { readonly kind: 'refused'; readonly status: 'rejected' | 'errored'; readonly reason: string };

/** The result as data, or null where it is told in a sentence only. */
export function readResult(value: unknown): Result | null {
  if (Array.isArray(value)) return { kind: 'table', rows: value as Raw[] };
  if (typeof value !== 'object' || value === null) return null;
  const { versions, asof, error, rejected } = value as Record<string, unknown>;
  if (Array.isArray(versions)) return { kind: 'table', rows: versions as Raw[] };
  if (Array.isArray(asof)) return { kind: 'as-of', lookups: asof as Raw[] };
  if (error !== undefined) return { kind: 'refused', status: 'errored', reason: String(error) };
  if (rejected !== undefined) return { kind: 'refused', status: 'rejected', reason: String(rejected) };
  return null;
}

/** A flag in any form people keep it. */
export function isYes(value: unknown): boolean {
  return /^(true|t|1|y|yes)$/i.test(String(value));
}

/** One entry a line. */
export async function readEntries(path: string): Promise<readonly Entry[]> {
  const text = await readFile(path, 'utf8');
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [parseExactly(line) as Entry];
    } catch (error) {
      throw new Error(`Line ${index + 1} of ${path} is not JSON: ${(error as Error).message}`);
    }
  });
}

/** JSON in which whole numbers that a double cannot hold become `bigint`. */
function parseExactly(text: string): unknown {
  const marked = text.replace(/"(?:\\.|[^"\\])*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g, (token) =>
    token.startsWith('"') ? token : `{"$bigint":"${token}"}`,
  );
  return JSON.parse(marked, (_, value: { $bigint?: unknown } | null) =>
    typeof value?.$bigint === 'string' ? BigInt(value.$bigint) : value,
  );
}
