import type { GradeConfig } from '../grade/grade-config.ts';
import type { AuditConfig } from './audits.ts';

/**
 * What `scd2check.config.ts` (or `.js`, `.json`, a `scd2check` key in package.json, …) may say. Flags win over it, it wins over what an
 * implementation says of itself.
 */
export interface Config {
  /** What `scd2check` without a path checks. */
  readonly implementations?: readonly (string | ImplementationConfig)[];
  /** A preset, or fields and columns, for every implementation. */
  readonly contract?: ContractConfig;
  /** What `scd2check audit` without a table checks, and what holds for these tables where one is named. */
  readonly audits?: readonly AuditConfig[];
  readonly cases?: readonly string[];
  readonly checks?: readonly string[];
  readonly skip?: readonly string[];
  /** Findings that are accepted: they are reported and do not fail a run. */
  readonly known?: readonly KnownFinding[];
  /** The as-of join under test, over `f` (facts) and `v` (the dimension). */
  readonly join?: string;
  /** `name` or `name:file`. */
  readonly reporters?: readonly string[];
  /** Such as `5m`. */
  readonly timeLimit?: string;
  /** Such as `10s`. */
  readonly timeout?: string;
  /** Rubric, work and isolation of `scd2check grade`. */
  readonly grade?: GradeConfig;
}

export interface KnownFinding {
  /** As reports give it: made from the check and its counterexample, so it stays the same. */
  readonly id: string;
  readonly reason: string;
}

export interface ImplementationConfig {
  readonly path: string;
  readonly contract?: ContractConfig;
}

/** The name of a preset, or `{ preset?, <field>: <option>, columns?: {…}, key?: …, … }`. */
export type ContractConfig = string | Readonly<Record<string, unknown>>;

/** Gives a configuration its type: `export default defineConfig({ … })`. */
export function defineConfig(config: Config): Config {
  return config;
}

export const CONFIG_KEYS = [
  'implementations',
  'contract',
  'audits',
  'cases',
  'checks',
  'skip',
  'known',
  'join',
  'reporters',
  'timeLimit',
  'timeout',
  'grade',
] as const satisfies readonly (keyof Config)[];
