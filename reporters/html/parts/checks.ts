import type { CheckResult, Report } from '../../../src/runner/report.ts';
import { visible } from '../../text/escape.ts';
import { type Element, el, table } from '../element.ts';
import { verdictCell } from './cases.ts';
import { section } from './section.ts';

/** Each check, how often it was put to the test, and what violates it. */
export function checksPart({ checks }: Report): Element {
  const held = checks.filter(({ verdict }) => verdict === 'pass').length;
  const skipped = checks.filter(({ verdict }) => verdict === 'skipped').length;
  return section(
    'checks',
    'Checks',
    el('p', null, `${held} of ${checks.length} held, ${skipped} skipped.`),
    checks.length === 0
      ? null
      : el(
          'details',
          held + skipped < checks.length ? { open: true } : null,
          el('summary', null, 'Each check'),
          checksTable(checks),
        ),
  );
}

function checksTable(checks: readonly CheckResult[]): Element {
  return table(
    {
      caption: 'Checks, how often each was put to the test, and the keys that violate it',
      headings: ['check', 'verdict', 'severity', 'exercised', 'violations', 'note'],
      rows: checks.map(({ id, verdict, severity, exercised, count, skipReason }) => [
        el('th', { scope: 'row' }, visible(id)),
        verdictCell(verdict),
        el('td', null, severity),
        el('td', { class: 'number' }, exercised),
        el('td', { class: count > 0 ? 'number differs' : 'number' }, count),
        el('td', null, skipReason === undefined ? '' : visible(skipReason)),
      ]),
    },
    'Checks',
  );
}
