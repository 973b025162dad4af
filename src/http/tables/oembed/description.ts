import { decodeReferences } from '#text/references.ts';

/** A provider's description of an address: names and values, none of them trusted. */
export type Description = ReadonlyMap<string, string | number>;

/** Reads a description in JSON or XML; null if it is neither. */
export function readDescription(body: Buffer): Description | null {
  const text = body.toString('utf8').trim();
  return text.startsWith('<') ? fromXml(text) : fromJson(text);
}

function fromJson(text: string): Description | null {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) return null;
  return new Map(
    Object.entries(value).filter((entry): entry is [string, string | number] =>
      ['string', 'number'].includes(typeof entry[1]),
    ),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function fromXml(text: string): Description | null {
  const root = text.search(/<oembed[\s>]/i);
  if (root === -1) return null;
  const found = new Map<string, string>();
  const opener = /<([a-z_]{1,40})>/gi;
  opener.lastIndex = text.indexOf('>', root);
  for (let tag = opener.exec(text); tag !== null; tag = opener.exec(text)) {
    const [whole, name = ''] = tag;
    const start = tag.index + whole.length;
    const end = text.indexOf(`</${name}>`, start);
    if (end === -1) break;
    found.set(name, contentOf(text.slice(start, end)));
    opener.lastIndex = end;
  }
  return found;
}

function contentOf(inner: string): string {
  const literal = /^\s*<!\[CDATA\[(.*)\]\]>\s*$/s.exec(inner)?.[1];
  return literal ?? decodeReferences(inner);
}
