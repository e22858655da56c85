import { FILES } from './html/document.ts';
import { renderPage } from './html/page.ts';
import type { CreateReporter } from './reporter.ts';

/** With `html:folder/`: the page, and its style and script beside it. */
export const mainFile = 'index.html';

/** A page for people, in one file that needs no network; or in a folder, for servers that forbid inline style and script. */
export const createReporter: CreateReporter = (output) => ({
  onEnd(report) {
    const { writeFile, full } = output;
    output.write(renderPage(report, { full, separate: writeFile !== null }));
    if (writeFile !== null) for (const [name, text] of Object.entries(FILES)) writeFile(name, text);
  },
});
