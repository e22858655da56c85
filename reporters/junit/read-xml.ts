/**
 * A tiny strict reader for the XML that tests look at: no entities but the five, no doctype, no comments. It throws
 * where the text is not well-formed, as every reader of a JUnit file would.
 */
export interface ReadElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: ReadElement[];
  text: string;
}

const TOKEN = /<\/([\w-]+)>|<([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>|([^<]+)/uy;
const ATTRIBUTE = / ([\w-]+)="([^"]*)"/g;
const ENTITY = /&(?:(amp|lt|gt|quot|apos)|#(\d+));|&/g;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** All elements of the document, each before its children. */
export function readXml(xml: string): ReadElement[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/u.test(xml))
    throw new Error('a forbidden character');
  const body = xml.replace(/^<\?xml [^?]*\?>\n/, '').trimEnd();
  const all: ReadElement[] = [];
  const open: ReadElement[] = [];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < body.length; ) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(body);
    if (match === null) throw new Error(`not well-formed at ${JSON.stringify(body.slice(at, at + 40))}`);
    const [, closed, opened, attributes = '', selfClosed, text] = match;
    if (text !== undefined) {
      if (open.length === 0) throw new Error('text outside of the root');
      open.at(-1)!.text += decode(text);
    } else if (closed !== undefined) {
      if (open.pop()?.name !== closed) throw new Error(`</${closed}> closes another element`);
    } else {
      if (open.length === 0 && all.length > 0) throw new Error('two roots');
      const element = { name: opened!, attributes: readAttributes(attributes), children: [], text: '' };
      open.at(-1)?.children.push(element);
      all.push(element);
      if (selfClosed === '') open.push(element);
    }
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)!.name}> is not closed`);
  return all;
}

function readAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name, value] of text.matchAll(ATTRIBUTE)) {
    if (Object.hasOwn(attributes, name!)) throw new Error(`two attributes ${name}`);
    // A reader turns line breaks and tabs in attributes into blanks.
    attributes[name!] = decode(value!.replace(/[\n\t]/g, ' '));
  }
  return attributes;
}

function decode(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(ENTITY, (entity, name: string | undefined, code: string | undefined) => {
      if (name !== undefined) return NAMED[name]!;
      if (code !== undefined) return String.fromCodePoint(Number(code));
      throw new Error(`a bare ${entity}`);
    });
}
