import { type Element, el } from '../element.ts';

/** A part of the page under its title, which is what it is called by. */
export function section(id: string, title: string, ...children: (Element | null)[]): Element {
  return el(
    'section',
    { id, 'aria-labelledby': `${id}-title` },
    el('h2', { id: `${id}-title` }, title),
    ...children,
  );
}
