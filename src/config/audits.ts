import { UsageError } from '../cli/usage-error.ts';
import { suggestion } from '../contract/nearest.ts';
import type { ContractConfig } from './config.ts';

/** A table that `scd2check audit` checks without being told more. Each setting is the flag of its name, which wins over it. */
export interface AuditConfig {
  /** A file, a pattern, a folder, `file.duckdb#table`, the URL of a database with `#table`, or a table behind `engine`. */
  readonly table: string;
  /** Over the contract of the whole configuration. */
  readonly contract?: ContractConfig;
  readonly key?: string | readonly string[];
  readonly tracked?: string | readonly string[];
  /** The current source, an earlier copy or its digest, and facts: tables too. */
  readonly source?: string;
  readonly previous?: string;
  readonly facts?: string;
  readonly factKey?: string | readonly string[];
  readonly factTime?: string;
  readonly amount?: string;
  /** The as-of join under test, over `f` (facts) and `v` (the dimension). */
  readonly join?: string;
  readonly checks?: readonly string[];
  readonly skip?: readonly string[];
  /** Of a check, or of `all`. */
  readonly severity?: Readonly<Record<string, 'error' | 'warn' | 'off'>>;
  /** Violations that are allowed, `5`, or a share of keys, `'0.1%'`. */
  readonly threshold?: Readonly<Record<string, number | string>>;
  readonly warnError?: boolean;
  readonly baseline?: string;
  readonly keysWhere?: string;
  readonly minAge?: string;
  readonly sample?: string;
  readonly examples?: number;
  readonly showValues?: boolean;
  readonly sensitive?: string | readonly string[];
  readonly exact?: boolean;
  readonly memoryLimit?: string;
  readonly threads?: number;
  /** A client that reads SQL and prints CSV or JSON, and the SQL that it reads. */
  readonly engine?: string;
  readonly dialect?: string;
  /** `name` or `name:file`. */
  readonly reporters?: readonly string[];
}

type Form = 'text' | 'texts' | 'list' | 'number' | 'boolean' | 'contract' | 'by check';

/** What each setting may be. */
const FORMS: Readonly<Record<keyof AuditConfig, Form>> = {
  table: 'text',
  contract: 'contract',
  key: 'texts',
  tracked: 'texts',
  source: 'text',
  previous: 'text',
  facts: 'text',
  factKey: 'texts',
  factTime: 'text',
  amount: 'text',
  join: 'text',
  checks: 'list',
  skip: 'list',
  severity: 'by check',
  threshold: 'by check',
  warnError: 'boolean',
  baseline: 'text',
  keysWhere: 'text',
  minAge: 'text',
  sample: 'text',
  examples: 'number',
  showValues: 'boolean',
  sensitive: 'texts',
  exact: 'boolean',
  memoryLimit: 'text',
  threads: 'number',
  engine: 'text',
  dialect: 'text',
  reporters: 'list',
};

const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '';
const isList = (value: unknown) => Array.isArray(value) && value.every(isText);
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

const RULES: Readonly<Record<Form, { readonly is: (value: unknown) => boolean; readonly words: string }>> = {
  text: { is: isText, words: 'a text' },
  texts: { is: (value) => isText(value) || isList(value), words: 'a text or a list of texts' },
  list: { is: isList, words: 'a list of texts' },
  number: { is: (value) => Number.isSafeInteger(value) && Number(value) >= 0, words: 'a whole number' },
  boolean: { is: (value) => typeof value === 'boolean', words: 'true or false' },
  contract: {
    is: (value) => isText(value) || isObject(value),
    words: 'the name of a preset, or an object with fields and columns',
  },
  'by check': {
    is: (value) =>
      isObject(value) &&
      Object.values(value as object).every((one) => isText(one) || typeof one === 'number'),
    words: "an object with a value for each check, such as { 'no-repeat': 'warn' }",
  },
};

/** @throws UsageError for a setting that means nothing, or has a value that it cannot have */
export function refuseStrangeAudits(audits: unknown, path: string): void {
  if (audits === undefined) return;
  if (!Array.isArray(audits))
    throw new UsageError(
      `${path}: \`audits\` must be a list of tables: [{ table: 'dim_customer.parquet', key: 'customer_id' }]; it is ${JSON.stringify(audits)}.`,
    );
  for (const [index, audit] of audits.entries()) {
    const where = `${path}: audits[${index}]`;
    if (!isObject(audit) || !isText((audit as AuditConfig).table))
      throw new UsageError(
        `${where} must be an object that names a table: { table: 'dim_customer.parquet' }; it is ${JSON.stringify(audit)}.`,
      );
    for (const [name, value] of Object.entries(audit as object)) refuseStrange(name, value, where);
  }
}

function refuseStrange(name: string, value: unknown, where: string): void {
  const form = Object.hasOwn(FORMS, name) ? FORMS[name as keyof AuditConfig] : undefined;
  if (form === undefined)
    throw new UsageError(`${where}: there is no setting \`${name}\`.${suggestion(name, Object.keys(FORMS))}`);
  if (value !== undefined && !RULES[form].is(value))
    throw new UsageError(
      `${where}: \`${name}\` must be ${RULES[form].words}; it is ${JSON.stringify(value)}.`,
    );
}
