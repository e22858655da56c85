import { type ComponentChild, type ComponentChildren, h, type VNode } from 'preact';
import { showCell } from '../text/cell.ts';
import { visible } from '../text/escape.ts';
import type { InstantFormat } from '../text/instants.ts';

/**
 * The page is built of Preact's elements and printed by preact-render-to-string: both are small, and escape every text and
 * attribute, which a page of hostile values needs more than anything. Nothing of Preact runs in the page.
 */
export type Child = ComponentChild;
export type Children = ComponentChildren;
export type Element = VNode;

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** `el('td', { class: 'differs' }, 'A')`. No attribute is an inline style, which strict servers forbid. */
export function el(name: string, attributes: Attributes | null = null, ...children: Children[]): Element {
  return h(name, attributes as never, ...children);
}

/** `2026-03-01 06:00`, which machines read too. */
export function time(instant: string, instants: InstantFormat): Element {
  return el('time', { datetime: visible(instant) }, instants.full(instant));
}

/** A cell as people read it. Values are shown in full up to a limit at which they stop being readable. */
export function cell(value: Parameters<typeof showCell>[0]): string {
  return showCell(value, 500);
}

/** Text that only screen readers get. */
export function unseen(text: string): Element {
  return el('span', { class: 'unseen' }, text);
}

export interface TableOptions {
  readonly caption: Children;
  /** Shown to screen readers alone, where a heading says the same. */
  readonly hideCaption?: boolean;
  readonly headings: readonly Children[];
  /** Cells are `td` and `th` elements. */
  readonly rows: readonly (readonly Element[])[];
}

/** A table in a region that scrolls by keyboard, so that a narrow page need not. */
export function table({ caption, hideCaption, headings, rows }: TableOptions, label: string): Element {
  return el(
    'div',
    { class: 'scroll', role: 'group', tabindex: 0, 'aria-label': label },
    el(
      'table',
      null,
      el('caption', hideCaption ? { class: 'unseen' } : null, caption),
      el('thead', null, el('tr', null, ...headings.map((heading) => el('th', { scope: 'col' }, heading)))),
      el('tbody', null, ...rows.map((cells) => el('tr', null, ...cells))),
    ),
  );
}
