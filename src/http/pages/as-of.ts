import { upToLast } from '#blocks/up-to-last.ts';
import { html, replaceFirst } from '#text/html.ts';

export interface AsOf {
  /** Position of the last event shown; 0: none. */
  readonly position: number;
  /** Time of that event, ISO 8601 UTC; null if there is none. */
  readonly at: string | null;
  /** Addresses that the site has had; links in contents begin with one of them. */
  readonly formerly: readonly string[];
  readonly address: () => string;
  /** The moment that was asked for, as the reader wrote it. */
  readonly asked?: string;
  /** What stays at an address of the site: paths that begin with these. Default: nothing. */
  readonly present?: { readonly address: string; readonly paths: readonly string[] };
}

/** Value of `X-CMS-As-Of`. */
export function asOfHeader({ position, at }: AsOf): string {
  return at === null ? String(position) : `${position} ${at}`;
}

export function asOfFields({ position, at }: AsOf) {
  return { as_of: { position, time: at } };
}

export function pageAsOf(pieces: readonly string[], asOf: AsOf): readonly string[] {
  const { position, at, asked = '', present } = asOf;
  const when = at === null ? null : html` (<time datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time>)`;
  const stood = asked.includes('T')
    ? html`on ${asked.replace('T', ' at ')}. The last change before was position ${position}${when}`
    : html`at position ${position}${when}`;
  const files = present?.paths.includes('/uploads/') ? ' Uploaded files are those of today.' : '';
  const text = html`This is the past: the site as it stood ${stood}.${files} Nothing can be changed here.`;
  const note = html`<aside aria-label="The past" style="background: Mark; color: MarkText; padding: .75rem 1rem; text-align: center"><p style="margin: 0">${text}</p></aside>`;
  const linked = pieces.map((piece) => {
    const [within, rest] = upToLast(piece, '>');
    return within.replace(tag, (one) => ownLinks(one, asOf)) + rest;
  });
  return replaceFirst(linked, /<body[^>]*>/, (body) => `${body}\n${note.markup}`);
}

const tag = /<[a-z][^>]*>/gi;

/** Addresses of the site in a text, as those of the past. */
export function ownLinks(text: string, { formerly, address, present }: AsOf): string {
  const ours = (rest: string) => {
    const isPresent = present?.paths.some((path) => rest.startsWith(path)) === true;
    return isPresent ? present.address : address();
  };
  const all = [...formerly].sort((a, b) => b.length - a.length).map((address) => RegExp.escape(address));
  // `http://site.example` is also a prefix of `http://site.example:81` and `http://site.example.org`.
  const former = new RegExp(`(?:${all.join('|')})(?=[/?#"'\\s,>]|$)`, 'g');
  return text.replace(former, (address, at: number) => ours(text.slice(at + address.length)));
}
