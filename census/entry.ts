/**
 * What the census says of a package before anything is run: where it is from, what it claims, and what is expected. The
 * figures are not here; `npm run census -- <name> --write` puts them into `measured.json` beside it.
 */
export interface Entry {
  /** The name of its folder. */
  readonly id: string;
  readonly name: string;
  readonly home: string;
  readonly licence: string;
  /** What the dimension lies in. */
  readonly engine: string;
  readonly rows: readonly Row[];
  /** What was done to rule the adapter out as the cause, beyond what every run repeats. */
  readonly ruledOut: string;
}

/** One line of the table: a version, in a setting, under a contract. */
export interface Row {
  /** `scduck-2`, unique in the census. */
  readonly id: string;
  /** What is special about it, after the name: `strategy check, hard_deletes ignore`. */
  readonly title: string;
  readonly version: string;
  readonly setting: Setting;
  /** The file that is tested, in the entry's folder. */
  readonly adapter: string;
  /** Flags of `scd2check`, after those of every row. */
  readonly flags?: readonly string[];
  /** Read by the adapter. */
  readonly env?: Readonly<Record<string, string>>;
  readonly claims: readonly Claim[];
  /** Options that are set beyond the claim, by field. Reds of such a row are no defects: nobody promised otherwise. */
  readonly beyond?: Readonly<Record<string, string>>;
  /** Limits that the documentation names, apart from defects. */
  readonly limitations?: readonly string[];
  readonly expected: Expected;
  /** A sentence on what makes this row worth having. */
  readonly note?: string;
  /** Runs in `npm run test:engines`: quick, and with little to install. */
  readonly inTests?: true;
}

/** What an adapter runs in. */
export type Setting =
  /** A virtual environment, made from a requirements file in the entry's folder. */
  | {
      readonly kind: 'python';
      readonly requirements: string;
      readonly server?: ServerName;
      readonly java?: true;
    }
  /** A server on which scd2check runs a SQL script. */
  | { readonly kind: 'sql'; readonly server: ServerName }
  /** Node, with packages installed from the `package.json` and `package-lock.json` in the entry's folder. */
  | { readonly kind: 'node' }
  /** The DuckDB that scd2check brings along. */
  | { readonly kind: 'duckdb' };

/** A server from Debian. An adapter in Python finds PostgreSQL's in `PGHOST` and the like. */
export type ServerName = 'postgres' | 'mariadb';

/** A decision of the contract, with the words that it is taken from. */
export interface Claim {
  readonly field: string;
  readonly option: string;
  readonly says: string;
  /** Address, and the section or symbol. */
  readonly where: string;
}

export interface Expected {
  readonly exitCode: 0 | 1 | 3;
  readonly reds: readonly Red[];
}

/** Findings that have one cause. */
export interface Red {
  /** Names `feeds/<id>.json`, the smallest feed that shows it, and what `by-hand` prints for that feed. */
  readonly id: string;
  readonly title: string;
  /** Why it is so, as understood in the package's code or documentation. */
  readonly why: string;
  /** Findings among the named cases, `case: check`, that have to be there. */
  readonly findings: readonly string[];
  /** Others that it accounts for: `scope: check` for those of another part, `*: check` for all of a check. Which of them are reported may change. */
  readonly also?: readonly string[];
  /** The check whose finding is shown, where another one would lead. */
  readonly shows?: string;
  /** Only a whole run shows it (a ticking clock, loads that are repeated), so that it has no feed of its own. */
  readonly onlyWhole?: true;
}
