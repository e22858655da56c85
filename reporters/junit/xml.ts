/** The little XML that JUnit needs: elements with attributes and text, always well-formed. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  readonly children: readonly (XmlElement | string)[];
}

// What XML 1.0 allows nowhere, not even escaped: controls, lone surrogates and two non-characters.
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

export function renderXml(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${renderElement(root, '').join('\n')}\n`;
}

function renderElement(element: XmlElement, indent: string): string[] {
  const attributes = Object.entries(element.attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${escapeAttribute(String(value))}"`],
  );
  const open = `${indent}<${element.name}${attributes.join('')}`;
  if (element.children.length === 0) return [`${open}/>`];
  const [first] = element.children;
  // Text stands directly between its tags: blanks around it would become part of it.
  if (typeof first === 'string') return [`${open}>${escapeText(first)}</${element.name}>`];
  const children = element.children.flatMap((child) =>
    typeof child === 'string' ? [] : renderElement(child, `${indent}  `),
  );
  return [`${open}>`, ...children, `${indent}</${element.name}>`];
}

function escapeText(text: string): string {
  return text
    .replace(FORBIDDEN, '\u{FFFD}')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}

/** In attributes, line breaks and tabs would be read as blanks unless they are written as references. */
function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
