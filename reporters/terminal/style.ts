import { Chalk } from 'chalk';
import { PLAIN, type Style } from '../text/style.ts';

/** The sixteen colours that every terminal has, in whatever shade its owner chose; or none. */
export function terminalStyle(color: boolean): Style {
  if (!color) return PLAIN;
  const chalk = new Chalk({ level: 1 });
  // Chalk joins all its arguments, and `map` passes three.
  return {
    good: (text) => chalk.green(text),
    bad: (text) => chalk.red(text),
    warn: (text) => chalk.yellow(text),
    dim: (text) => chalk.dim(text),
    strong: (text) => chalk.bold(text),
  };
}
