import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Whether a folder is a dbt project. */
export function isDbtProject(folder: string): boolean {
  return existsSync(join(folder, 'dbt_project.yml'));
}

/** Where a SQL file is a snapshot of a dbt project, what to type instead of its path; null where it is none. */
export function snapshotHint(path: string): string | null {
  const name = /\{%-?\s*snapshot\s+(\w+)/.exec(readFileSync(path, 'utf8'))?.[1];
  if (name === undefined) return null;
  let folder = dirname(path);
  while (!isDbtProject(folder) && folder !== dirname(folder)) folder = dirname(folder);
  const project = isDbtProject(folder) ? relative(process.cwd(), folder) || '.' : '<the dbt project>';
  return `It is the dbt snapshot \`${name}\`, which only dbt can run. Name its project: scd2check ${project} --snapshot ${name}`;
}
