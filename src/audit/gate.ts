import { UsageError } from '../cli/usage-error.ts';
import { suggestion } from '../contract/nearest.ts';

/** What a violation of a check means for the exit code. */
export interface Gate {
  readonly severity: 'error' | 'warn' | 'off';
  /** More violations than this, and more than this share of all keys, are too many. */
  readonly count: number;
  readonly share: number;
}

export type Gates = ReadonlyMap<string, Gate>;

const STRICT: Gate = { severity: 'error', count: 0, share: 0 };

/**
 * The gate of each check, from `--severity no-repeat=warn` and `--threshold no-overlap=5` or `=0.1%`; `all=` stands for every check.
 * @throws UsageError for an unknown check, severity or threshold
 */
export function readGates(
  checks: readonly string[],
  severities: readonly string[],
  thresholds: readonly string[],
): Gates {
  const gates = new Map(checks.map((id): [string, Gate] => [id, STRICT]));
  const change = (text: string, flag: string, gate: (value: string, before: Gate) => Gate) => {
    const at = text.indexOf('=');
    const [id, value] = [text.slice(0, at), text.slice(at + 1)];
    if (at < 1 || value === '')
      throw new UsageError(`\`${flag} ${text}\` needs a check and a value: ${flag} no-repeat=…`);
    const ids = id === 'all' ? checks : [id];
    if (!checks.includes(ids[0]!))
      throw new UsageError(`\`${flag}\`: there is no check \`${id}\` in an audit.${suggestion(id, checks)}`);
    for (const one of ids) gates.set(one, gate(value, gates.get(one)!));
  };
  for (const text of severities) {
    change(text, '--severity', (value, before) => {
      if (value !== 'error' && value !== 'warn' && value !== 'off')
        throw new UsageError(
          `\`--severity\` cannot be \`${value}\`.${suggestion(value, ['error', 'warn', 'off'])}`,
        );
      return { ...before, severity: value };
    });
  }
  for (const text of thresholds) change(text, '--threshold', allowing);
  return gates;
}

function allowing(value: string, before: Gate): Gate {
  const match = /^(\d+)$|^(\d+(?:\.\d+)?)%$/.exec(value);
  if (match === null)
    throw new UsageError(
      `\`--threshold\` cannot be \`${value}\`. Write a number of violations, 5, or a share of keys, 0.1%.`,
    );
  return match[1] === undefined
    ? { ...before, share: Number(match[2]) / 100 }
    : { ...before, count: Number(match[1]) };
}

/** Whether there are more violations than a gate allows. With both a count and a share, either allows. */
export function isTooMany(gate: Gate, violations: number, share: number): boolean {
  if (violations === 0) return false;
  const byCount = violations <= gate.count;
  const byShare = gate.share > 0 && share <= gate.share;
  return !(byCount || byShare);
}
