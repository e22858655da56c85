/** Where Spark runs, for implementations that need it. */
export interface SparkOptions {
  /** A Spark Connect server, `sc://host:port`. */
  readonly remote: string | null;
  /** A cluster, such as `spark://host:7077`; this machine where it is null. */
  readonly master: string | null;
  /** The catalog that the scratch schema is made in; the current one of the session where it is null. */
  readonly catalog: string | null;
  /** Settings of the session by name. */
  readonly conf: Readonly<Record<string, string>>;
  /** Where somebody else takes them away: what the scratch schema is called, and the folder of files. */
  readonly schema?: string;
  readonly folder?: string;
}

/** The kind of tables that a dimension is made as. */
export type TableFormat = 'iceberg' | 'delta';

export const LOCAL_SPARK: SparkOptions = { remote: null, master: null, catalog: null, conf: {} };

/** What Spark itself reads. `local[2]`, a server in its own process, is no other place than this machine. */
export function usualRemote(): string | null {
  const named = process.env['SPARK_REMOTE'] ?? '';
  return named.startsWith('sc://') ? named : null;
}

/** How the Python kit is told. */
export function sparkEnvironment(spark: SparkOptions | null): NodeJS.ProcessEnv {
  return spark === null ? {} : { SCD2CHECK_SPARK: JSON.stringify(spark) };
}
