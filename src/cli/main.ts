import { shortened, visibleLines } from '../../reporters/text/escape.ts';
import { parseArguments } from './arguments.ts';
import { commandHelp, helpText } from './help.ts';
import { UsageError } from './usage-error.ts';
import { version } from './version.ts';

/**
 * The command line. Nothing heavy is imported before it is known that it is needed, so that `--help` answers at once.
 * @param argv the arguments, without the program
 */
export async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await answer(argv).catch(complain);
}

async function answer(argv: readonly string[]): Promise<number> {
  const args = parseArguments(argv);
  if (args.flag('version')) return say(`${version()}\n`);
  // `run` is what is meant where no command is named.
  if (args.flag('help')) return say(args.command === 'run' ? helpText(version()) : commandHelp(args.command));
  switch (args.command) {
    case 'run':
      // Before anything else is loaded: the implementation's process takes as long to come up as this one.
      (await import('../plugins/warm.ts')).warmUp(args.targets);
      return (await import('./run-command.ts')).runCommand(args, argv);
    case 'expected':
      return (await import('./expected-command.ts')).expectedCommand(args);
    case 'replay':
      return (await import('./replay-command.ts')).replayCommand(args);
    case 'break':
      return (await import('./break-command.ts')).breakCommand(args);
    case 'probe':
      return (await import('./probe-command.ts')).probeCommand(args);
    case 'doctor':
      return (await import('./doctor-command.ts')).doctorCommand(args);
    case 'audit':
      return (await import('./audit-command.ts')).auditCommand(args, argv);
    case 'compare':
      return (await import('./compare-command.ts')).compareCommand(args);
    case 'grade':
      return (await import('./grade-command.ts')).gradeCommand(args);
    case 'worksheet':
      return (await import('./worksheet-command.ts')).worksheetCommand(args);
    case 'report':
      return (await import('./report-command.ts')).reportCommand(args);
    case 'explain':
      return (await import('./explain-command.ts')).explainCommand(args);
    case 'init':
      return (await import('./init-command.ts')).initCommand(args);
    case 'completion':
      return (await import('./completion-command.ts')).completionCommand(args);
    case 'list':
      return (await import('./list-command.ts')).listCommand();
  }
}

function say(text: string): number {
  process.stdout.write(text);
  return 0;
}

function complain(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`scd2check: ${error.message}\n`);
    return 2;
  }
  // A failure to start is the implementation's; anything else is ours.
  if (error instanceof Error && error.name === 'ImplementationFailure') {
    const { message, stderr = '' } = error as Error & { stderr?: string };
    process.stderr.write(`scd2check: ${visibleLines(message).join('\n')}\n${tail(stderr, message)}`);
    return 3;
  }
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`scd2check: a fault of scd2check itself, not of what it tested: ${message}\n`);
  if (process.env['SCD2CHECK_DEBUG'] && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  else process.stderr.write('Run again with SCD2CHECK_DEBUG=1 for details, and please report it.\n');
  return 70;
}

/** The last lines of an error stream, unless the message quotes them already. */
function tail(stderr: string, message: string): string {
  const last = visibleLines(stderr).slice(-10);
  if (message.includes(last.at(-1)!.trim())) return '';
  return `Its error stream ends with:\n${last.map((line) => `  ${shortened(line, 400)}`).join('\n')}\n`;
}
