import type { Report } from '../../../src/runner/report.ts';
import { visible } from '../../text/escape.ts';
import { cell, type Element, el, table } from '../element.ts';
import { section } from './section.ts';

/** Where and how it was run, and how long each part took. */
export function environmentPart({ tool, run, implementation, environment, timings }: Report): Element {
  const ci = environment?.ci ?? null;
  const rows: [string, string | null | undefined][] = [
    ['scd2check', tool.version],
    ['run', run.id],
    ['started', run.started],
    ['command', run.command],
    ['implementation', `${implementation.name} (${implementation.kind})`],
    ['Node', environment?.node],
    ['platform', environment?.platform],
    ['CI', ci?.name],
    ['commit', ci?.commit],
    ['branch', ci?.branch],
    ['build', ci?.build],
    ['time', `${timings.totalMs} ms, ${timings.implementationMs} ms in the implementation`],
    ...Object.entries(timings.parts).map(([part, ms]): [string, string] => [`time of ${part}`, `${ms} ms`]),
  ];
  return section(
    'environment',
    'Environment',
    table(
      {
        caption: 'Where and how it was run',
        hideCaption: true,
        headings: ['what', 'value'],
        rows: rows.flatMap(([name, value]) =>
          value == null ? [] : [[el('th', { scope: 'row' }, visible(name)), el('td', null, cell(value))]],
        ),
      },
      'Environment',
    ),
  );
}
