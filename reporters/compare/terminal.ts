import type { CompareReport, Difference, DifferenceKind } from '../../src/compare/report.ts';
import { thousands } from '../audit/words.ts';
import { type Page, proseWidth, spaced } from '../terminal/page.ts';
import { terminalStyle } from '../terminal/style.ts';
import { showCell } from '../text/cell.ts';
import { disarmLine, visible } from '../text/escape.ts';
import { instantFormat } from '../text/instants.ts';
import { fitTable } from '../text/table.ts';
import { counted, joinParts, wrap } from '../text/wrap.ts';
import type { RenderCompare } from './index.ts';

const KINDS: Readonly<Record<DifferenceKind, string>> = {
  value: 'both have a version, with other values',
  gone: 'only the old one has a version',
  added: 'only the new one has a version',
  several: 'more than one version holds at once',
};

/** The comparison for people: the verdict, how many keys differ and how, and for each way some stretches of time side by side. */
export const render: RenderCompare = (report, { width, color, full, quiet }) => {
  const page: Page = { width: Math.max(width, 32), style: terminalStyle(color), full };
  const lines = quiet ? verdict(report, page) : whole(report, page);
  return `${lines.map(disarmLine).join('\n')}\n`;
};

function whole(report: CompareReport, page: Page): string[] {
  const size = ({ name, rows, keys }: CompareReport['old']) =>
    `${visible(name)} (${thousands(rows)} versions of ${thousands(keys)} keys)`;
  const { style } = page;
  return spaced([
    [
      ...joinParts([`old ${size(report.old)}`, `new ${size(report.new)}`], proseWidth(page)),
      ...wrap(
        `compared: ${report.attributes.map(visible).join(', ') || 'no attribute'}`,
        proseWidth(page),
        '  ',
      ),
      ...report.notes.flatMap((note) => wrap(visible(note), proseWidth(page), '  ')).map(style.dim),
      ...verdict(report, page),
    ],
    ...report.kinds.map(({ kind, stretches, keys }) => {
      const shown = report.differences.filter((one) => one.kind === kind);
      const head = `${KINDS[kind]}: ${counted(stretches, 'stretch', 'stretches')} of time, ${counted(keys, 'key')}`;
      return [
        ...wrap(head, proseWidth(page), '  ').map(style.strong),
        ...differenceTable(shown, page),
        ...(shown.length < stretches
          ? [style.dim(`… ${thousands(stretches - shown.length)} more (--examples)`)]
          : []),
      ];
    }),
  ]);
}

function verdict({ verdict: word, keys }: CompareReport, { style, width }: Page): string[] {
  const counts = [
    `keys with the same history: ${thousands(keys.same)}`,
    ...(keys.different === 0 ? [] : [`with another one: ${thousands(keys.different)}`]),
    ...(keys.onlyOld === 0 ? [] : [`only in the old one: ${thousands(keys.onlyOld)}`]),
    ...(keys.onlyNew === 0 ? [] : [`only in the new one: ${thousands(keys.onlyNew)}`]),
  ];
  const paint = word === 'same' ? style.good : style.bad;
  const label = word.toUpperCase();
  const [first, ...rest] = wrap(`${label}  ${counts.join(', ')}`, Math.min(width, 100), '  ');
  return [paint(style.strong(label)) + first!.slice(label.length), ...rest];
}

/** One line for each stretch: the key, the time, and what holds in either. */
function differenceTable(differences: readonly Difference[], { width, style }: Page): string[] {
  const bounds = differences.flatMap(({ from, to }) => [from, to]).filter((one) => one !== null);
  const format = instantFormat(bounds);
  const keys = Object.keys(differences[0]?.key ?? {});
  const columns = [
    ...keys.map((name) => ({ heading: visible(name), keep: true })),
    { heading: 'from', keep: true },
    { heading: 'to', keep: true },
    { heading: 'old', keep: true },
    { heading: 'new', keep: true },
  ];
  const cells = ({ key, from, to, old, new: next }: Difference) => {
    const differing = differingNames(old, next);
    return [
      ...keys.map((name) => ({ text: showCell(key[name] ?? null) })),
      { text: from === null ? 'always' : format.full(from) },
      { text: to === null ? 'open' : format.full(to) },
      { text: versionsText(old, differing) },
      { text: versionsText(next, differing), paint: style.bad },
    ];
  };
  return fitTable({ columns, rows: differences.map(cells) }, width, style);
}

type Versions = Difference['old'];

/** Of one version against one, only what differs is worth reading. */
function differingNames([old, ...others]: Versions, [next, ...more]: Versions): readonly string[] | null {
  if (old === undefined || next === undefined || others.length > 0 || more.length > 0) return null;
  return Object.keys(old).filter((name) => old[name] !== next[name]);
}

function versionsText(versions: Versions, names: readonly string[] | null): string {
  if (versions.length === 0) return '–';
  return versions
    .map((version) =>
      Object.entries(version)
        .filter(([name]) => names?.includes(name) ?? true)
        .map(([name, value]) => `${visible(name)} ${showCell(value)}`)
        .join(', '),
    )
    .join(' + ');
}
