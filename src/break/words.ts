import { type Code, lineAt, type Mutation } from './code.ts';
import type { Tried } from './try.ts';

/** One line for a mutant: where, what was changed, and what became of it. */
export interface Line {
  readonly line: number;
  readonly change: string;
  readonly result: string;
  readonly money: string;
}

const LONGEST = 34;

export function lineOf(code: Code, mutation: Mutation, tried: Tried): Line {
  return {
    line: lineAt(code, mutation.edits[0]!.start),
    change: changeOf(code, mutation),
    result:
      tried.outcome === 'caught'
        ? tried.finding.check
        : tried.outcome === 'survived'
          ? 'SURVIVED'
          : 'does not run',
    money: tried.outcome === 'caught' && tried.finding.money ? tried.finding.money.moved.toFixed(2) : '',
  };
}

/** `before -> after`, each on one line and no longer than it need be. */
export function changeOf({ sql }: Code, { mistake, edits }: Mutation): string {
  const [first, second] = edits;
  const before = sql.slice(first!.start, first!.end);
  if (second !== undefined && mistake.includes('order'))
    return `${mistake}: ${short(before)} after ${short(first!.text)}`;
  const after = first!.text === '' ? 'nothing' : short(first!.text);
  return `${mistake}: ${before === '' ? 'nothing' : short(before)} -> ${after}`;
}

function short(text: string): string {
  const line = text
    .replace(/\s*--[^\n]*\n/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`;
}

export function tableOf(lines: readonly Line[]): string {
  const head = { line: 'line', change: 'what was changed', result: 'caught by', money: 'money moved' };
  const rows = [head, ...lines.map((one) => ({ ...one, line: String(one.line) }))];
  const width = (column: keyof typeof head) => Math.max(...rows.map((row) => row[column].length));
  const [line, change, result, money] = [width('line'), width('change'), width('result'), width('money')];
  return rows
    .map((row) =>
      `${row.line.padStart(line)}  ${row.change.padEnd(change)}  ${row.result.padEnd(result)}  ${row.money.padStart(money)}`.trimEnd(),
    )
    .join('\n');
}

export function summaryOf(lines: readonly Line[]): string {
  const idle = lines.filter(({ result }) => result === 'does not run').length;
  const survivors = lines.filter(({ result }) => result === 'SURVIVED').length;
  const ran = lines.length - idle;
  const caught = `${ran - survivors} of ${ran} mutants were caught`;
  const rest =
    idle === 0 ? '' : `; ${idle} more ${idle === 1 ? 'does' : 'do'} not run at all, which proves nothing`;
  if (survivors === 0) return `${caught}${rest}.`;
  return [
    `${caught}, ${survivors} survived${rest}.`,
    'A survivor is either a script that is right in another way (read the change: does it ever make a difference to what you promise?), or a mistake',
    'that nothing here would notice: then try `scd2check` with a larger `--scope`, and tell us.',
  ].join('\n');
}
