const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
};
/** Characters that XML cannot contain at all. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** A description as XML: one element per member, nested for nested members. */
export function toXml(members: Readonly<Record<string, unknown>>): string {
  return `<?xml version="1.0"?><oembed>${elements(members)}</oembed>`;
}

function elements(members: object): string {
  return Object.entries(members)
    .map(([name, value]) => `<${name}>${contentOf(value)}</${name}>`)
    .join('');
}

function contentOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) return elements(value);
  return String(value)
    .replace(FORBIDDEN, '')
    .replace(/[&<>"'\r]/g, (char) => ESCAPES[char] ?? char);
}
