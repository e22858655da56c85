import { extname } from 'node:path';

export type Form = 'sql' | 'function' | 'python' | 'executable';

const FORMS: Readonly<Record<string, Form>> = {
  '.sql': 'sql',
  '.ts': 'function',
  '.mts': 'function',
  '.js': 'function',
  '.mjs': 'function',
  '.cjs': 'function',
  '.py': 'python',
};

/** What a file's name says it is; null where only the file can tell. */
export function formByName(path: string): Form | null {
  return FORMS[extname(path).toLowerCase()] ?? null;
}
