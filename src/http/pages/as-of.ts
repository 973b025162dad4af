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
  const { position, at } = asOf;
  const when = at === null ? null : html` (<time datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time>)`;
  const text = html`This is the past: the site as it stood at position ${position}${when}. Nothing can be changed here.`;
  const note = html`<aside aria-label="The past"><p><mark>${text}</mark></p></aside>`;
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
