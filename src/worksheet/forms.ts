import Papa from 'papaparse';
import { table } from '../docs/markdown.ts';
import type { Question } from './worksheet.ts';

const INTRO =
  'For each case: how many versions does the dimension hold of the key after the last load, and how many of them are open? Answer before anything is run, each for themselves. Write `refused` where a load is to be refused. Columns of a row: customer_id, customer_segment, street; the segment is tracked, the street is not.';

export const FORMS = { markdown, csv, html } as const;
export type Form = keyof typeof FORMS;

function markdown(questions: readonly Question[]): string {
  const rows = questions.map(({ id, loads }) => [id, loads.join('<br>'), '', '']);
  return `# Worksheet\n\n${INTRO}\n\n${table(['case', 'loads, in order of arrival', 'versions', 'open'], rows)}\n`;
}

function csv(questions: readonly Question[]): string {
  const rows = questions.map(({ id, loads }) => [id, loads.join(' | '), '', '']);
  return `${Papa.unparse({ fields: ['case', 'loads', 'versions', 'open'], data: rows }, { newline: '\n' })}\n`;
}

/** One file that needs nothing else: a form, and a button that saves the answers as CSV. */
function html(questions: readonly Question[]): string {
  const rows = questions.map(({ id, loads }) => {
    const input = (name: string) =>
      `<td><input name="${id} ${name}" aria-label="${name} of ${id}" size="8" autocomplete="off"></td>`;
    return `<tr><th scope="row">${escapeHtml(id)}</th><td><ol>${loads.map((load) => `<li>${escapeHtml(load)}</li>`).join('')}</ol></td>${input('versions')}${input('open')}</tr>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>SCD2 worksheet</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border: 1px solid; padding: 0.4rem 0.6rem; text-align: left; vertical-align: top; }
ol { margin: 0; padding-left: 1.4rem; }
@media print { button { display: none; } }
</style>
<h1>SCD2 worksheet</h1>
<p>${escapeHtml(INTRO)}</p>
<form>
<table>
<caption>The answers are yours to give.</caption>
<thead><tr><th scope="col">case</th><th scope="col">loads, in order of arrival</th><th scope="col">versions</th><th scope="col">open</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
<p><button type="submit">Save as answers.csv</button></p>
</form>
<script>
document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault();
  const lines = [...document.querySelectorAll('tbody tr')].map((row) =>
    [row.querySelector('th').textContent, ...[...row.querySelectorAll('input')].map((input) => input.value.replace(/[",\\n]/g, ' ').trim())].join(','));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([['case,versions,open', ...lines, ''].join('\\n')], { type: 'text/csv' }));
  link.download = 'answers.csv';
  link.click();
});
</script>
</html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
