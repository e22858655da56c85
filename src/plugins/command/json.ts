import { randomUUID } from 'node:crypto';

/**
 * JSON whose numbers survive. `JSON.parse` rounds 9007199254740993 and 12345678901234567.89 without a word, and many
 * programs print such numbers bare. Here they become a `Numeral`, which keeps the digits and prints them again.
 *
 * Numerals travel through JSON.parse and JSON.stringify as texts that begin with a mark nobody can guess; texts
 * without long numbers, nearly all, pay for one search only.
 */
export class Numeral {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  /** The number as far as JavaScript has one for it: a bigint, or else the digits as text. */
  get value(): bigint | string {
    return /^-?\d+$/.test(this.digits) ? BigInt(this.digits) : this.digits;
  }

  toJSON(): string {
    return MARK + this.digits;
  }
}

const MARK = `numeral:${randomUUID()}:`;
const LONG_NUMBER = /\d[\d.]{15}/;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** @throws SyntaxError where the text is no JSON. */
export function parseJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  let marked = false;
  const kept = text.replace(TOKEN, (token) => {
    if (token.startsWith('"') || !isDamaged(token)) return token;
    marked = true;
    return `"${MARK}${token}"`;
  });
  if (!marked) return JSON.parse(text);
  return JSON.parse(kept, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? new Numeral(value.slice(MARK.length)) : value,
  );
}

/** The value, or the error that says why the text is no JSON. */
export function tryParseJson(text: string): { readonly value: unknown } | { readonly error: string } {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** On one line. Numerals are printed with the digits they came with. */
export function printJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes(MARK) ? text.replace(new RegExp(`"${MARK}([^"]*)"`, 'g'), '$1') : text;
}

/** Whether a JavaScript number would not give the same digits back, or not be known to. */
function isDamaged(token: string): boolean {
  const digits = token.replace(/^-?0*\.?0*|[eE].*$/g, '').replace('.', '');
  if (digits.length < 16) return false;
  return /^-?\d+$/.test(token) ? !Number.isSafeInteger(Number(token)) : String(Number(token)) !== token;
}
