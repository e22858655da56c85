import { scaleBand, scaleLinear } from 'd3-scale';
import type { Money } from '../../src/runner/report.ts';
import { visible } from '../text/escape.ts';
import { moneySentence } from '../text/words.ts';
import { type Element, el } from './element.ts';

/** Bars that are drawn; the sentence has the sum of all. */
const BARS = 8;
const WIDTH = 560;
const LABELS = 250;

/** The money that moved, from which value to which, as a small chart with its numbers written beside the bars. */
export function moneyFigure(money: Money, id: string): Element {
  const moves = money.moves.slice(0, BARS);
  const height = moves.length * 28;
  const x = scaleLinear()
    .domain([0, Math.max(1, ...moves.map(({ amount }) => Math.abs(amount)))])
    .range([0, WIDTH - LABELS - 90]);
  const y = scaleBand<number>()
    .domain(moves.map((_, index) => index))
    .range([0, height])
    .padding(0.25);
  const rest = money.moves.length - moves.length;
  const picture = el(
    'svg',
    {
      width: WIDTH,
      height,
      viewBox: `0 0 ${WIDTH} ${height}`,
      role: 'img',
      'aria-labelledby': `${id}-caption`,
    },
    ...moves.flatMap(({ from, to, amount }, index) => {
      const top = y(index)!;
      const length = x(Math.abs(amount));
      const base = top + y.bandwidth() / 2 + 5;
      return [
        el('text', { class: 'move', x: LABELS - 10, y: base }, `${short(from)} → ${short(to)}`),
        el('rect', { class: 'money', x: LABELS, y: top, width: length, height: y.bandwidth() }),
        el('text', { x: LABELS + length + 8, y: base }, amount.toFixed(2)),
      ];
    }),
  );
  return el(
    'figure',
    { class: 'money' },
    ...(moves.length === 0
      ? []
      : [
          el(
            'div',
            { class: 'scroll', role: 'group', tabindex: 0, 'aria-label': 'Money that moved' },
            picture,
          ),
        ]),
    el(
      'figcaption',
      { id: `${id}-caption` },
      `Costs ${moneySentence(money)}.${rest > 0 ? ` ${rest} smaller ones are not drawn.` : ''}`,
    ),
  );
}

function short(text: string): string {
  const characters = [...visible(text)];
  return characters.length <= 14 ? characters.join('') : `${characters.slice(0, 13).join('')}…`;
}
