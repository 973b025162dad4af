import { Edits } from './edits.ts';
import { decodeReferences, encodeAttribute } from './references.ts';
import { type Attribute, readAttributes } from './tags.ts';

/** Marks every link of a text as user-generated, and links to other sites as `nofollow`. `host`: of the site. Idempotent. */
export function markLinks(html: string, host: string): string {
  const edits = new Edits(html);
  for (let start = nextLink(html, 0); start >= 0; start = nextLink(html, start + 1)) {
    const end = html.indexOf('>', start + 4);
    if (end < 0) break;
    const text = html.slice(start + 3, end);
    // A tag must end on its line.
    if (text.includes('\n')) continue;
    edits.replace(start, end + 1, `<a ${marked(text, host)}>`);
    start = end;
  }
  return edits.finish();
}

export function relationOf(address: string, host: string): 'ugc' | 'nofollow ugc' {
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? URL.parse(address) : null;
  return url !== null && url.hostname === host.toLowerCase() ? 'ugc' : 'nofollow ugc';
}

function nextLink(html: string, from: number): number {
  for (let at = html.indexOf('<', from); at >= 0; at = html.indexOf('<', at + 1)) {
    const letter = html.charAt(at + 1);
    if ((letter === 'a' || letter === 'A') && html.charAt(at + 2) === ' ') return at;
  }
  return -1;
}

function marked(text: string, host: string): string {
  const { attributes } = readAttributes(text, 0);
  const relation = relationOf(attributeIn(attributes, 'href') ?? '', host);
  const given = attributeIn(attributes, 'rel');
  if (given === null || given === '') return `${text} rel="${relation}"`;
  const words = new Set([...given.split(' ').map((word) => word.trim()), ...relation.split(' ')]);
  const others = attributes.filter(({ name }) => name !== 'rel').map(written);
  return [...others, `rel="${encodeAttribute([...words].join(' '))}"`].join(' ');
}

function attributeIn(attributes: readonly Attribute[], name: string): string | null {
  const raw = attributes.find((attribute) => attribute.name === name)?.raw ?? null;
  return raw === null ? null : decodeReferences(raw);
}

function written({ name, raw }: Attribute): string {
  return raw === null ? name : `${name}="${encodeAttribute(decodeReferences(raw))}"`;
}
