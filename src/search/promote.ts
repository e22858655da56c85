import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../cli/usage-error.ts';
import { declareContract } from '../contract/declare.ts';
import { contractToJson } from '../contract/print.ts';
import { toFeed } from '../feed/feed-file.ts';
import { batchesJson, type StoredFailure, writeWhole } from './store.ts';

/** The folder of a project's own cases, beside its configuration. It belongs under version control. */
export const PROJECT_CASES = 'scd2check-cases';

/**
 * Makes a stored counterexample a case of the project: a feed file with a title, which every later run sends after the named cases. It
 * is not kept as a counterexample any more, because it would be run twice.
 * @returns the file of the case
 * @throws UsageError where there is such a case already
 */
export function promote(root: string, failure: StoredFailure): string {
  const file = join(root, PROJECT_CASES, `${failure.id}.json`);
  if (existsSync(file)) throw new UsageError(`\`${file}\` is there already.`);
  const { contract } = declareContract([failure.feed.declared]);
  const content = {
    title: failure.message,
    check: failure.check,
    contract: contractToJson(contract),
    batches: batchesJson(contract, toFeed(contract, failure.feed)),
  };
  writeWhole(file, `${JSON.stringify(content, null, 2)}\n`);
  rmSync(failure.file, { force: true });
  return file;
}
