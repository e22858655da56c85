import type { Report } from '../../../src/runner/report.ts';
import { visible } from '../../text/escape.ts';
import { freshFindings } from '../../text/words.ts';
import { type Element, el, table } from '../element.ts';
import { section } from './section.ts';

/** The contract, field by field, with the decisions that would explain a finding. */
export function contractPart(report: Report): Element {
  const decisions = freshFindings(report).flatMap(({ decision }) => (decision === null ? [] : [decision]));
  const { columns, ...fields } = report.contract;
  return section(
    'contract',
    'Contract',
    el('p', null, report.contractAssumed ? 'Nobody declared one, so strict was taken.' : 'As declared.'),
    el(
      'details',
      decisions.length > 0 ? { open: true } : null,
      el('summary', null, 'Each field'),
      table(
        {
          caption: 'Decisions of the contract',
          headings: ['field', 'option', 'note'],
          rows: Object.entries(fields).map(([field, option]) => [
            el('th', { scope: 'row' }, visible(field)),
            el('td', null, plain(option)),
            el(
              'td',
              null,
              [...new Set(decisions.filter((one) => one.field === field).map((one) => one.option))]
                .map((one) => `≈ ${visible(one)} would explain a finding`)
                .join(', '),
            ),
          ]),
        },
        'Contract',
      ),
      typeof columns !== 'object' || columns === null
        ? null
        : table(
            {
              caption: 'Columns by their roles',
              headings: ['role', 'columns'],
              rows: Object.entries(columns).map(([role, value]) => [
                el('th', { scope: 'row' }, visible(role)),
                el('td', null, plain(value)),
              ]),
            },
            'Columns',
          ),
    ),
  );
}

function plain(value: unknown): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(plain).join(', ');
  return typeof value === 'string' ? visible(value) : visible(JSON.stringify(value));
}
