/** What `import … from 'scd2check'` gives: `check`, `defineConfig`, and the types of plug-ins, reporters and reports. */
export type { CreateReporter, Reporter, ReporterOutput } from '../reporters/reporter.ts';
export { type Apply, type Checked, type CheckOptions, check } from './api/check.ts';
export type { AuditConfig } from './config/audits.ts';
export {
  type Config,
  type ContractConfig,
  defineConfig,
  type ImplementationConfig,
  type KnownFinding,
} from './config/config.ts';
export type { Cell, Column, Columns, ColumnType, Row } from './contract/columns.ts';
export type { Contract, Decision, Field } from './contract/contract.ts';
export type { Feed, FeedBatch } from './feed/feed.ts';
export type { Batch, Implementation, Outcome, Session, Setup } from './plugins/implementation.ts';
export type {
  CaseResult,
  CheckResult,
  Finding,
  KnownResult,
  Problem,
  Report,
  RunEvent,
  StoredResult,
  Verdict,
} from './runner/report.ts';
