import { type Code, lineAt, type Mutation } from './code.ts';
import type { Tried } from './try.ts';

/** What is said of a mutant: where, which mistake, what was changed, and what became of it. */
export interface Line {
  readonly line: number;
  readonly mistake: string;
  readonly change: string;
  readonly result: string;
  readonly money: string;
}

/** Two pieces of a script and an arrow between them stand on a line of 80 characters. */
const LONGEST = 34;

export function lineOf(code: Code, mutation: Mutation, tried: Tried): Line {
  return {
    line: lineAt(code, mutation.edits[0]!.start),
    mistake: mutation.mistake,
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
export function changeOf({ sql }: Code, { edits }: Mutation): string {
  const [first, second] = edits;
  const before = sql.slice(first!.start, first!.end);
  if (second !== undefined && second.text === before) return `${short(first!.text)} comes first`;
  const after = first!.text === '' ? 'nothing' : short(first!.text);
  return `${before === '' ? 'nothing' : short(before)} -> ${after}`;
}

function short(text: string): string {
  const line = text
    .replace(/\s*--[^\n]*\n/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`;
}

export function tableOf(lines: readonly Line[]): string {
  const head = { line: 'line', mistake: 'mistake', result: 'caught by', money: 'money moved' };
  const rows = lines.map((one) => ({ ...one, line: String(one.line) }));
  const width = (column: keyof typeof head) => Math.max(...[head, ...rows].map((row) => row[column].length));
  const [line, mistake, result, money] = [width('line'), width('mistake'), width('result'), width('money')];
  const text = (row: typeof head) =>
    `${row.line.padStart(line)}  ${row.mistake.padEnd(mistake)}  ${row.result.padEnd(result)}  ${row.money.padStart(money)}`.trimEnd();
  return [text(head), ...rows.map((row) => `${text(row)}\n${' '.repeat(line + 4)}${row.change}`)].join('\n');
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
    'A survivor is a script that is right in another way, or a mistake that nothing',
    'here would notice. Read the change: does it break anything that the contract',
    'promises? If so, try a larger `--scope`.',
  ].join('\n');
}
