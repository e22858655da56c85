import type { Columns } from '../contract/columns.ts';
import {
  type Code,
  closing,
  type Edit,
  type Mutation,
  places,
  type Statement,
  statementsOf,
  until,
} from './code.ts';

/**
 * Mistakes that people make in the SQL of a slowly changing dimension, made on purpose in a script that is right. Each works on the text
 * alone, outside comments and quotes: it need not understand the script, because one that does not run any more is simply not counted.
 */
export function mutationsOf(code: Code, columns: Columns): readonly Mutation[] {
  const all = MISTAKES.flatMap((mistake) => mistake(code, columns));
  const distinct = new Map(all.map((mutation) => [JSON.stringify(mutation.edits), mutation]));
  return [...distinct.values()].sort((a, b) => a.edits[0]!.start - b.edits[0]!.start);
}

type Mistake = (code: Code, columns: Columns) => readonly Mutation[];

/** What the pattern matches becomes another text. Groups are those of the pattern. */
function replacing(
  mistake: string,
  pattern: RegExp,
  text: (match: RegExpExecArray, original: (group: number) => string) => string | null,
): Mistake {
  return (code) =>
    places(code, pattern).flatMap((match) => {
      const original = (group: number) => {
        const [start, end] = match.indices?.[group] ?? [0, 0];
        return code.sql.slice(start, end);
      };
      const now = text(match, original);
      const edit = { start: match.index, end: match.index + match[0].length, text: now ?? '' };
      return now === null ? [] : [{ mistake, edits: [edit] }];
    });
}

const COLUMN = '((?:[\\w]+\\.)?(?:\\w+|"[^"]*"))';
const CLAUSES =
  /\b(?:AND|OR|THEN|WHEN|GROUP|ORDER|WINDOW|HAVING|QUALIFY|LIMIT|RETURNING|UNION|WHERE|(?<!DISTINCT\s)FROM|LEFT|JOIN|ANTI|INNER|AS)\b/;
const GIVEN = /(?<![:\w$])[:$]as_of\b/;
const INSTANT =
  /(?<![:\w$])[:$]as_of\b|\bgetvariable\s*\(.as_of.\)|\bgetvariable\s*\([^()]*\)|\bcurrent_date\b(?:\s*\(\s*\))?|\bcurrent_timestamp\b(?:\s*\(\s*\))?|\bnow\s*\(\s*\)/;

// Comparisons

const boundary = replacing('a boundary moved', /(?<![<>=!:-])(<=|>=|<|>)(?![<>=@])/, ([found]) =>
  found.length === 2 ? found[0]! : `${found}=`,
);

const nullUnsafe = replacing('NULL is no value', /\bIS\s+(NOT\s+)?DISTINCT\s+FROM\b/, (match) =>
  match[1] === undefined ? '<>' : '=',
);

const nullSkipped = replacing('NULL is skipped', /\b(arg_max|arg_min)_null\b/, (match) => match[1]!);

const isNullTurned = replacing('the condition turned round', /\bIS\s+(NOT\s+)?NULL\b(?!\s+AS\b)/, (match) =>
  match[1] === undefined ? 'IS NOT NULL' : 'IS NULL',
);

const newOrOld = replacing(
  'NULL keeps the old value',
  new RegExp(`${COLUMN}\\s*(IS\\s+DISTINCT\\s+FROM|<>|!=)\\s*${COLUMN}`),
  (match, original) =>
    match[1] === match[3] ? null : `${original(1)} ${match[2]} COALESCE(${original(3)}, ${original(1)})`,
);

/** Where a tracked column is compared, the untracked ones are compared as well. */
const comparesAll: Mistake = (code, { tracked, untracked }) => {
  if (untracked.length === 0) return [];
  const names = tracked.map(({ name }) => name).join('|');
  const pattern = new RegExp(
    `\\b(\\w+\\.)(?:${names})\\s*(IS\\s+DISTINCT\\s+FROM|<>|!=)\\s*(\\w+\\.)(?:${names})\\b`,
  );
  return replacing('untracked columns are compared', pattern, ([found, left, operator, right]) => {
    const more = untracked.map(({ name }) => `${left}${name} ${operator} ${right}${name}`);
    return `(${[found, ...more].join(' OR ')})`;
  })(code, { tracked, untracked } as Columns);
};

const hashesAll: Mistake = (code, { untracked }) => {
  if (untracked.length === 0) return [];
  const calls = places(code, /\b(md5|sha1|sha256|hash)\s*\(/);
  const outermost = calls.filter(
    ({ index }) =>
      !calls.some(
        (other) => other.index < index && closing(code.masked, other.index + other[0].length - 1) > index,
      ),
  );
  return outermost.map((match) => {
    const end = closing(code.masked, match.index + match[0].length - 1) - 1;
    const column = untracked[0]!.name;
    const text =
      match[1]!.toLowerCase() === 'hash' ? `, ${column}` : ` || coalesce(CAST(${column} AS VARCHAR), '')`;
    return { mistake: 'the hash covers all columns', edits: [{ start: end, end, text }] };
  });
};

// Conditions and arms that are forgotten

/** `AND …` up to the next condition or clause. The AND of a BETWEEN is none. */
const conjunctDropped: Mistake = (code) =>
  places(code, /\bAND\b/).flatMap(({ index }) => {
    if (isOfBetween(code, index)) return [];
    return [dropped('a condition is forgotten', index, until(code, index + 3, CLAUSES))];
  });

/** The first of several conditions. */
const firstConjunctDropped: Mistake = (code) =>
  places(code, /\b(?:WHERE|ON)\s+/).flatMap(({ index, 0: found }) => {
    const start = index + found.length;
    const end = until(code, start, CLAUSES);
    const next = /^AND\s+/i.exec(code.masked.slice(end));
    return next === null || isOfBetween(code, end)
      ? []
      : [dropped('a condition is forgotten', start, end + next[0].length)];
  });

/** Whether the AND at the place stands between the two ends of a BETWEEN. */
function isOfBetween({ masked }: Code, place: number): boolean {
  return /\bBETWEEN\s+\S+\s+$/i.test(masked.slice(0, place));
}

const whereDropped: Mistake = (code) =>
  statementsOf(code).flatMap(({ start, end, verb }) => {
    if (verb !== 'UPDATE' && verb !== 'DELETE') return [];
    const where = until(code, start, /\bWHERE\b/);
    return where < end ? [dropped('every row is meant', where, end)] : [];
  });

const armDropped: Mistake = (code) =>
  places(code, /\bWHEN\s+(?:NOT\s+)?MATCHED\b/).map(({ index }) =>
    dropped(
      'an arm of the MERGE is forgotten',
      index,
      until(code, index + 4, /\bWHEN\s+(?:NOT\s+)?MATCHED\b/),
    ),
  );

const keyOfPartitionDropped: Mistake = (code) =>
  places(code, /\bPARTITION\s+BY\s+/).flatMap(({ index, 0: found }) => {
    const start = index + found.length;
    const end = until(code, start, /\b(?:ORDER|ROWS|RANGE|GROUPS)\b/);
    const comma = code.masked.slice(start, end).indexOf(',');
    if (comma < 0) return [dropped('the window spans all keys', index, end)];
    return [dropped('the window spans several keys', start, start + comma + 1)];
  });

// Statements

const CHANGING = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

const statementDropped: Mistake = (code) =>
  statementsOf(code)
    .filter(({ verb }) => CHANGING.has(verb))
    .map(({ start, end }) => dropped('a statement is forgotten', start, end));

const statementsSwapped: Mistake = (code) => {
  const statements = statementsOf(code);
  return statements.flatMap((one, at) => {
    const next = statements[at + 1];
    if (next === undefined || !CHANGING.has(one.verb) || !CHANGING.has(next.verb)) return [];
    if (!meet(code, one, next)) return [];
    const text = ({ start, end }: { start: number; end: number }) => code.sql.slice(start, end);
    const edits: Edit[] = [
      { start: one.start, end: one.end, text: text(next) },
      { start: next.start, end: next.end, text: text(one) },
    ];
    return [{ mistake: 'two statements in the wrong order', edits }];
  });
};

/** Whether one statement names the table that the other changes; if not, their order means nothing. */
function meet({ masked }: Code, one: Statement, other: Statement): boolean {
  const texts = [one, other].map(({ start, end }) => masked.slice(start, end));
  const targets = texts.map((text) => /^\w+\s+(?:INTO\s+|FROM\s+)?([\w."]+)/i.exec(text)?.[1] ?? '');
  const names = (text: string, table: string) =>
    text
      .toLowerCase()
      .split(/[^\w."]+/)
      .includes(table.toLowerCase());
  return names(texts[0]!, targets[1]!) || names(texts[1]!, targets[0]!);
}

/** An UPDATE that sets the end becomes a DELETE of the same rows. */
const hardDelete: Mistake = (code, { validTo }) =>
  places(code, /\bUPDATE\s+([\w."]+(?:\s+AS\s+\w+)?)\s+SET\s+([^;]*?)\s+WHERE\b/).flatMap((match) => {
    const [target, assignments] = [match[1]!, match[2]!];
    const ends = validTo !== null && new RegExp(`\\b${validTo.name}\\b`, 'i').test(assignments);
    if (!ends || /\bFROM\b/i.test(assignments)) return [];
    const end = match.index + match[0].length;
    return [
      {
        mistake: 'rows are deleted, not closed',
        edits: [{ start: match.index, end, text: `DELETE FROM ${target} WHERE` }],
      },
    ];
  });

// Instants, flags, windows

const dayLate = replacing('the wrong instant', INSTANT, (_, original) => `(${original(0)} + INTERVAL 1 DAY)`);

const wallClock: Mistake = (code) => {
  const edits = places(code, GIVEN).map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
    text: 'CAST(now() AS TIMESTAMP)',
  }));
  return edits.length === 0 ? [] : [{ mistake: 'a clock of its own', edits }];
};

const flagAlwaysTrue: Mistake = (code, { isCurrent }) =>
  isCurrent === null
    ? []
    : replacing(
        'the flag is always true',
        new RegExp(`[\\w."]+\\s+IS\\s+NULL\\s+AS\\s+${isCurrent.name}\\b`),
        () => `true AS ${isCurrent.name}`,
      )(code, {} as Columns);

const flagLeft: Mistake = (code, { isCurrent }) =>
  isCurrent === null
    ? []
    : replacing(
        'the flag is left as it is',
        new RegExp(`,\\s*${isCurrent.name}\\s*=\\s*false\\b`),
        () => '',
      )(code, {} as Columns);

const otherDirection: Mistake = (code) =>
  places(code, /\bORDER\s+BY\s+/).map(({ index, 0: found }) => {
    const start = index + found.length;
    const end = until(code, start, /,|\b(?:ROWS|RANGE|GROUPS|LIMIT|WINDOW|NULLS)\b/);
    const expression = code.sql.slice(start, end).trimEnd();
    const turned = /\s+DESC$/i.test(expression)
      ? expression.replace(/\s+DESC$/i, '')
      : `${expression.replace(/\s+ASC$/i, '')} DESC`;
    return { mistake: 'the wrong order', edits: [{ start, end: start + expression.length, text: turned }] };
  });

const OPPOSITES: Readonly<Record<string, string>> = {
  lead: 'lag',
  lag: 'lead',
  min: 'max',
  max: 'min',
  arg_max: 'arg_min',
  arg_min: 'arg_max',
  arg_max_null: 'arg_min_null',
};

const opposite = replacing(
  'the opposite',
  /\b(lead|lag|min|max|arg_max|arg_min|arg_max_null)(?=\s*\()/,
  ([found]) => (found === undefined ? null : (OPPOSITES[found.toLowerCase()] ?? null)),
);

const negated = replacing('the condition turned round', /\bNOT\s+(EXISTS|IN)\b/, (match) => match[1]!);

const joinTurned = replacing(
  'another join',
  /\b(ANTI|SEMI|LEFT)\s+JOIN\b/,
  ([found]) => ({ A: 'SEMI JOIN', S: 'ANTI JOIN', L: 'JOIN' })[found[0]!.toUpperCase()] ?? null,
);

const MISTAKES: readonly Mistake[] = [
  boundary,
  nullUnsafe,
  nullSkipped,
  isNullTurned,
  newOrOld,
  comparesAll,
  hashesAll,
  conjunctDropped,
  firstConjunctDropped,
  whereDropped,
  armDropped,
  keyOfPartitionDropped,
  statementDropped,
  statementsSwapped,
  hardDelete,
  dayLate,
  wallClock,
  flagAlwaysTrue,
  flagLeft,
  otherDirection,
  opposite,
  negated,
  joinTurned,
];

function dropped(mistake: string, start: number, end: number): Mutation {
  return { mistake, edits: [{ start, end, text: '' }] };
}
