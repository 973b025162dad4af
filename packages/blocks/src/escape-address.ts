import { decodeReferences, normaliseReferences } from './references.ts';

const FORBIDDEN = /[^a-z0-9\-~+_.?#=!&;,/:%@$|*'()[\]\x80-\uffff]/gi;

/** Attributes with an address. */
export const ADDRESS_ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'action archive background cite classid codebase data formaction href icon longdesc manifest poster profile src ' +
    'usemap xmlns'
  ).split(' '),
);

const SCHEMES = new Set(
  'http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet mms rtsp sms svn tel fax xmpp webcal urn'.split(
    ' ',
  ),
);

const COLON = /:|&#0*58;|&#x0*3a;|&colon;/i;
const MAX_PASSES = 6;
/** From the first backslash of several: each one would be tried as a start. */
const ZEROS = /(?<!\\)\\+0+/g;
const CONTROLS = /[\0-\x08\v\f\x0e-\x1f]/;
const EACH_CONTROL = /[\0-\x08\v\f\x0e-\x1f]/g;

/** Escapes an address for an attribute; '' if its scheme is not allowed. A bare word counts as a host. */
export function escapeAddress(given: string): string {
  let address = given.trimStart().replaceAll(' ', '%20').replace(FORBIDDEN, '');
  if (!/^mailto:/i.test(address)) address = dropLineEnds(address);
  address = address.replaceAll(';//', '://');
  if (address === '') return '';
  if (!address.includes(':') && !/^[/#?]|^[a-z0-9-]+?\.php/i.test(address)) address = `http://${address}`;
  address = normaliseReferences(address).replaceAll('&amp;', '&#038;').replaceAll("'", '&#039;');
  if (/[[\]]/.test(address)) address = encodeBrackets(address);
  if (address.startsWith('/')) return address;
  return filterAddress(address).toLowerCase() === address.toLowerCase() ? address : '';
}

/** Removes encoded line ends, also those that come about by removing others. */
export function dropLineEnds(address: string): string {
  if (!/%0[ad]/i.test(address)) return address;
  const kept: string[] = [];
  for (const char of address) {
    if (/[ad]/i.test(char) && kept.at(-1) === '0' && kept.at(-2) === '%') kept.length -= 2;
    else kept.push(char);
  }
  return kept.join('');
}

function encodeBrackets(address: string): string {
  const host = /^[^/?#]*\/\/[^/?#]*/.exec(address)?.[0] ?? '';
  return host + address.slice(host.length).replaceAll('[', '%5B').replaceAll(']', '%5D');
}

export function withParameter(address: string, name: string, value: string | number): string {
  const hash = address.indexOf('#');
  const end = hash < 0 ? address.length : hash;
  const before = address.slice(0, end);
  return `${before}${before.includes('?') ? '&' : '?'}${name}=${value}${address.slice(end)}`;
}

/** Removes disallowed schemes from the start of an address, including repeated and disguised ones. */
export function filterAddress(address: string): string {
  let filtered = dropControls(address).replace(ZEROS, '');
  if (filtered.startsWith('https://') || filtered.startsWith('http://')) return filtered;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = filtered;
    filtered = dropScheme(before, 1);
    if (filtered === before) return filtered;
  }
  return '';
}

export function dropControls(text: string): string {
  return CONTROLS.test(text) ? text.replace(EACH_CONTROL, '') : text;
}

function dropScheme(address: string, level: number): string {
  const closed = address.replace(/(&#0*58(?![;0-9])|&#x0*3a(?![;a-f0-9]))/gi, '$1;');
  const colon = COLON.exec(closed);
  if (colon === null) return closed;
  const before = closed.slice(0, colon.index);
  if (before.includes('/?')) return closed;
  const rest = closed.slice(colon.index + colon[0].length).trim();
  const scheme = schemeOf(before);
  if (!SCHEMES.has(scheme)) return rest;
  if (scheme !== 'feed') return `${scheme}:${rest}`;
  if (level > 2) return '';
  const inner = dropScheme(rest, level + 1);
  return inner === '' ? '' : `feed:${inner}`;
}

function schemeOf(text: string): string {
  return dropControls(decodeReferences(text).replace(/\s/g, '')).replace(ZEROS, '').toLowerCase();
}
