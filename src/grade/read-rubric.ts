import { BOUNDARY_IDS, CASES } from '../../cases/index.ts';
import type { ProjectCase } from '../../cases/project.ts';
import { ALL_CHECKS } from '../checks/index.ts';
import { UsageError } from '../cli/usage-error.ts';
import { suggestion } from '../contract/nearest.ts';
import type { RubricItemConfig } from './grade-config.ts';
import { type Rubric, type RubricItem, VISIBILITIES, type Visibility } from './rubric.ts';

/** Ten points for each of the seven boundary cases. */
const DEFAULT_ITEMS: readonly RubricItemConfig[] = BOUNDARY_IDS.map((id) => ({ points: 10, cases: [id] }));

/**
 * The rubric that the configuration writes down, with all defaults filled in.
 * @param where the file, for messages
 * @throws UsageError where an item names what there is not, or nothing, or what another names too
 */
export function readRubric(
  items: readonly RubricItemConfig[] | undefined,
  visibility: string | undefined,
  own: readonly ProjectCase[],
  where: string,
): Rubric {
  const usual = readVisibility(visibility ?? 'visible', where);
  const read = (items ?? DEFAULT_ITEMS).map((item, index) =>
    readItem(item, usual, own, `${where}: item ${index + 1} of the rubric`),
  );
  const twice = read.find(({ id }, index) => read.findIndex((other) => other.id === id) < index);
  if (twice !== undefined)
    throw new UsageError(
      `${where}: two items of the rubric have the id \`${twice.id}\`. Give one of them another: id: '…'.`,
    );
  if (read.every(({ optional }) => optional))
    throw new UsageError(
      `${where}: every item of the rubric is optional, so there is nothing to be graded by.`,
    );
  return { items: read };
}

function readItem(
  item: RubricItemConfig,
  usual: Visibility,
  own: readonly ProjectCase[],
  where: string,
): RubricItem {
  if ((item.cases === undefined) === (item.checks === undefined))
    throw new UsageError(`${where} must have either \`cases\` or \`checks\`.`);
  const cases = list(item.cases).flatMap((id) => casesNamed(id, own, where));
  const checks = list(item.checks).flatMap((id) => checksNamed(id, where));
  const [only] = [...cases, ...checks].length === 1 ? [...cases, ...checks] : [];
  const id = item.id ?? only?.replace(/[^a-z0-9]+/g, '-');
  if (id === undefined)
    throw new UsageError(`${where} has several cases or checks, so it needs an id: id: 'late-data'.`);
  return {
    id,
    title: item.title ?? titleOf(only, own) ?? id,
    points: item.points,
    cases: [...new Set(cases)],
    checks: [...new Set(checks)],
    partial: item.partial ?? true,
    optional: item.optional ?? false,
    visibility: item.visibility === undefined ? usual : readVisibility(item.visibility, where),
  };
}

function list(value: readonly string[] | string | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

function casesNamed(id: string, own: readonly ProjectCase[], where: string): readonly string[] {
  if (id === 'boundary') return BOUNDARY_IDS;
  if (id === 'project') {
    if (own.length > 0) return own.map((one) => one.id);
    throw new UsageError(
      `${where} names the project's own cases, and there is none: no feed file in \`scd2check-cases\`.`,
    );
  }
  const known = [...CASES, ...own].map((one) => one.id);
  if (known.includes(id)) return [id];
  throw new UsageError(`${where}: there is no case \`${id}\`.${suggestion(id, known)}`);
}

function checksNamed(id: string, where: string): readonly string[] {
  const group = ALL_CHECKS.filter((check) => check.group === id);
  if (group.length > 0) return group.map((check) => check.id);
  const known = ALL_CHECKS.map((check) => check.id);
  if (known.includes(id)) return [id];
  const groups = [...new Set(ALL_CHECKS.map((check) => check.group))];
  throw new UsageError(`${where}: there is no check \`${id}\`.${suggestion(id, [...known, ...groups])}`);
}

function titleOf(id: string | undefined, own: readonly ProjectCase[]): string | undefined {
  return [...CASES, ...own, ...ALL_CHECKS].find((one) => one.id === id)?.title;
}

function readVisibility(text: string, where: string): Visibility {
  if ((VISIBILITIES as readonly string[]).includes(text)) return text as Visibility;
  throw new UsageError(`${where}: there is no visibility \`${text}\`.${suggestion(text, VISIBILITIES)}`);
}
