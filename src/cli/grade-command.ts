import { loadConfig } from '../config/load.ts';
import { grade } from '../grade/grade.ts';
import type { Gradebook } from '../grade/gradebook.ts';
import { gradeSettings } from '../grade/settings.ts';
import type { Arguments } from './arguments.ts';
import { openGradeOutput } from './grade-output.ts';
import { listenForInterrupt } from './interrupt.ts';
import { UsageError } from './usage-error.ts';

/**
 * `scd2check grade <impl…>`: 0 once everybody was graded, whatever the grades, those that are not gradable among them; 70 where scd2check itself
 * failed on one of them; 130 where it was interrupted, with what there was by then in the files.
 */
export async function gradeCommand(args: Arguments): Promise<number> {
  const cwd = process.cwd();
  if (args.targets.length === 0 || args.program.length > 0)
    throw new UsageError(
      'What is to be graded? Name files, folders, patterns or archives: scd2check grade submissions/ (or *.sql, submissions.zip).',
    );
  const settings = gradeSettings(args, await loadConfig(args.value('config'), cwd), cwd);
  const output = await openGradeOutput(args, cwd);
  const { signal, stop } = listenForInterrupt();
  try {
    const book = await grade({
      settings,
      targets: args.targets,
      cwd,
      signal,
      onProgress: (now) => {
        output.update(now);
        if (process.stderr.isTTY && !args.flag('quiet')) process.stderr.write(`\r\x1b[K${progress(now)}`);
      },
    });
    if (process.stderr.isTTY && !args.flag('quiet')) process.stderr.write('\r\x1b[K');
    output.end(book);
    if (signal.aborted) return 130;
    return book.submissions.some(({ problems }) => problems.some(({ kind }) => kind === 'fault')) ? 70 : 0;
  } finally {
    stop();
  }
}

function progress({ submissions }: Gradebook): string {
  return `${submissions.filter(({ status }) => status !== 'waiting').length}/${submissions.length}`;
}
