import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv, type ErrorObject } from 'ajv';
import { suggestion } from '../contract/nearest.ts';
import type { Report } from '../runner/report.ts';
import { UsageError } from './usage-error.ts';
import { packageRoot } from './version.ts';

/**
 * The report of a run that is over.
 * @param target an id in `.scd2check/runs`, the beginning of one, `last`, the path of a `report.json` or of the folder that it is in
 * @param root the project folder
 * @throws UsageError where there is none, or it cannot be read
 */
export function readStoredRun(target: string, root: string): Report {
  const path = reportPath(target, root);
  const value = parse(path);
  const errors = errorsOf(value);
  if (errors.length === 0) return value as Report;
  const { tool } = (value ?? {}) as Partial<Report>;
  const other =
    tool?.name === 'scd2check' ? ` It was written by scd2check ${tool.version}: render it with that.` : '';
  throw new UsageError(`\`${path}\` is not the report of a run: ${sentence(errors[0]!)}.${other}`);
}

function reportPath(target: string, root: string): string {
  const isPath = target.includes('/') || target.endsWith('.json') || existsSync(resolve(target));
  if (!isPath) return join(root, '.scd2check', 'runs', runNamed(target, root), 'report.json');
  const path = resolve(target);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new UsageError(`There is no file \`${target}\`.`);
  if (!stat.isDirectory()) return path;
  const inside = join(path, 'report.json');
  if (!existsSync(inside))
    throw new UsageError(
      `There is no report.json in \`${target}\`: it is no folder of a run, or the run did not end.`,
    );
  return inside;
}

function runNamed(target: string, root: string): string {
  const folder = join(root, '.scd2check', 'runs');
  const ids = existsSync(folder) ? readdirSync(folder).sort() : [];
  const ended = ids.filter((id) => existsSync(join(folder, id, 'report.json')));
  if (ended.length === 0)
    throw new UsageError(`There is no run with a report in \`${folder}\`. Run \`scd2check <impl>\` first.`);
  if (target === 'last') return ended.at(-1)!;
  const found = ended.filter((id) => id.startsWith(target));
  if (ended.includes(target)) return target;
  if (found.length === 1) return found[0]!;
  if (found.length > 1)
    throw new UsageError(`\`${target}\` may be ${found.length} runs: ${found.slice(0, 5).join(', ')}.`);
  if (ids.includes(target))
    throw new UsageError(`The run \`${target}\` has no report: it did not end, or is still going on.`);
  const instead = suggestion(target, ended) || ` The last one is \`${ended.at(-1)}\`.`;
  throw new UsageError(`There is no run \`${target}\` in \`${folder}\`.${instead}`);
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`Cannot read the report \`${path}\`: ${(error as Error).message}.`);
  }
}

/** What a newer version adds is passed over; what is missing, or of another kind, is not. */
function errorsOf(value: unknown): readonly ErrorObject[] {
  const schema = JSON.parse(readFileSync(join(packageRoot(), 'docs', 'schemas', 'report-1.json'), 'utf8'));
  const validate = new Ajv({ allErrors: true }).compile(schema);
  validate(value);
  return (validate.errors ?? []).filter(({ keyword }) => keyword !== 'additionalProperties');
}

function sentence({ instancePath, message = 'it is not as it should be' }: ErrorObject): string {
  return instancePath === '' ? `it ${message}` : `\`${instancePath}\` ${message}`;
}
