import type { Report } from '../src/runner/report.ts';
import { fitSections } from './markdown/fit.ts';
import { markdownSections } from './markdown/sections.ts';
import type { CreateReporter } from './reporter.ts';
import { visible } from './text/escape.ts';
import { currentPlace, fileOf, type Place } from './text/names.ts';

/**
 * A comment for a pull or merge request, in GitHub's Markdown. It begins with a hidden marker that stays the same for an
 * implementation, so that whoever posts it finds the earlier one and updates it.
 */
export const createReporter: CreateReporter = (output) => ({
  onEnd(report) {
    output.write(renderMarkdown(report, currentPlace()));
  },
});

/** GitHub refuses a comment of more than 65,536 characters, and then shows none. */
const LIMIT = 60_000;

export function renderMarkdown(report: Report, place: Place): string {
  const marker = markerOf(report.implementation, place);
  const whereElse = 'The JSON and HTML reports have all of it.';
  return `${marker}\n${fitSections(markdownSections(report), LIMIT - Buffer.byteLength(marker) - 1, whereElse)}`;
}

/** The first line. Names that differ only in what a comment cannot hold share a marker. */
export function markerOf(implementation: Report['implementation'], place: Place): string {
  const name = visible(fileOf(implementation, place) ?? implementation.name);
  const plain = name.replace(/[^\w./ @-]/g, '_').replace(/-{2,}/g, '-');
  return `<!-- scd2check: ${plain.slice(0, 200)} -->`;
}
