import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/cli/version.ts';
import type { MadeUp } from './submission.ts';

const SQL = example('observation-log.sql');
const TS = example('observation-log.ts');
const PY = example('observation-log.py');

function example(name: string): string {
  return readFileSync(join(packageRoot(), 'examples', name), 'utf8');
}

function broken(name: string): string {
  return readFileSync(join(packageRoot(), 'test', 'broken', name), 'utf8');
}

/** The text with one place changed: a mistake. */
function changed(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`The example no longer has: ${from}`);
  return text.replace(from, to);
}

/** A function of the TypeScript example, as a module of its own. */
const IDENTITY = TS.slice(TS.indexOf('function identity'), TS.indexOf('function start'));

export const RIGHT: readonly MadeUp[] = [
  right('right-sql', { 'load.sql': SQL }),
  right('right-ts', { 'load.ts': TS }),
  right('right-py', { 'load.py': PY }),
  right('right-sql-folder', { 'load.sql': SQL, 'README.md': 'Mine.\n' }),
  right('right-ts-folder', {
    'load.ts': `import { identity } from './lib/identity.ts';\n${changed(TS, IDENTITY, '')}`,
    'lib/identity.ts': `type Row = Record<string, unknown>;\nexport ${IDENTITY}`,
  }),
  right('right-py-folder', { 'load.py': PY, 'data/notes.txt': 'none\n' }),
];

function right(id: string, files: MadeUp['files']): MadeUp {
  return { id, kind: 'right', files, score: 70 };
}

function wrong(id: string, score: number, files: MadeUp['files']): MadeUp {
  return { id, kind: 'wrong', files, score };
}

export const WRONG: readonly MadeUp[] = [
  wrong('wrong-sql-inclusive-end', 60, { 'load.sql': broken('inclusive-end.sql') }),
  wrong('wrong-sql-hard-delete', 50, { 'load.sql': broken('hard-delete.sql') }),
  wrong('wrong-sql-null-compare', 60, { 'load.sql': broken('null-compare.sql') }),
  wrong('wrong-sql-all-columns', 50, { 'load.sql': broken('compare-all-columns.sql') }),
  wrong('wrong-sql-late', 60, { 'load.sql': broken('late-as-newest.sql') }),
  wrong('wrong-sql-overwrite', 30, { 'load.sql': broken('overwrite-in-place.sql') }),
  wrong('wrong-ts-all-columns', 60, {
    'load.ts': changed(
      TS,
      'identity(row, columns.tracked) === identity(version.row, columns.tracked)',
      'JSON.stringify(row) === JSON.stringify(version.row)',
    ),
  }),
  wrong('wrong-ts-keeps-deleted', 60, {
    'load.ts': changed(TS, 'const row = rows.get(key);', 'const row = rows.get(key) ?? version.row;'),
  }),
  wrong('wrong-ts-flag', 20, { 'load.ts': changed(TS, ']: to === null }', ']: true }') }),
  wrong('wrong-py-never-closes', 30, { 'load.py': changed(PY, 'del open_versions[key]', 'pass') }),
  wrong('wrong-py-arrival-order', 60, {
    'load.py': changed(PY, 'for as_of in sorted(self.snapshots):', 'for as_of in self.snapshots:'),
  }),
  // One decision, a grain of days, in every case: it costs its points once.
  wrong('wrong-py-day', 60, {
    'load.py': changed(PY, 'self.snapshots[as_of] =', 'self.snapshots[as_of.replace(hour=0, minute=0)] ='),
  }),
];

export const NOT_GRADABLE: readonly MadeUp[] = [
  {
    id: 'none-py-syntax',
    kind: 'not gradable',
    files: { 'load.py': 'def apply(:\n' },
    score: null,
    says: /SyntaxError/,
  },
  {
    id: 'none-ts-no-export',
    kind: 'not gradable',
    files: { 'load.ts': 'const apply = 1;\n' },
    score: null,
    says: /no default export/,
  },
  {
    id: 'none-sql-syntax',
    kind: 'not gradable',
    files: { 'load.sql': 'SELEC 1;\n' },
    score: null,
    says: /no SQL/,
  },
  {
    id: 'none-two',
    kind: 'not gradable',
    files: { 'one.sql': SQL, 'two.py': PY },
    score: null,
    says: /several things/,
  },
];
