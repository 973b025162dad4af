import { BLANK, isBlank } from './blank.ts';
import { ADDRESS_ATTRIBUTES, filterAddress } from './filter-address.ts';
import type { Policy } from './filter-policy.ts';
import { filterStyle } from './filter-style.ts';
import { decodeReferences, encodeAttribute } from './references.ts';
import { readAttributes } from './tags.ts';

const [SLASH, GREATER] = [47, 62];
const TAG = new RegExp(`^<${BLANK}*(?:(/)${BLANK}*)?([a-zA-Z0-9-]+)([^>]*)>?$`);

export function filterTag(tag: string, policy: Policy): string {
  const bare = filterBareTag(tag, policy);
  if (bare !== null) return bare;
  const parts = TAG.exec(tag);
  if (parts === null) return '';
  const [, slash = '', name = '', rest = ''] = parts;
  const allowed = policy.elements.get(name.toLowerCase());
  if (allowed === undefined) return '';
  if (slash !== '') return `</${name}>`;
  const end = endsWithSlash(rest) ? ' /' : '';
  // Objects would need the address of a document of this site, which is unknown here.
  if (name.toLowerCase() === 'object') return end === '' ? `<${name}>` : '';
  return `<${name}${filterAttributes(rest, allowed, policy)}${end}>`;
}

/** Filters the frequent tags without attributes; null for any other tag. */
function filterBareTag(tag: string, policy: Policy): string | null {
  const start = tag.charCodeAt(1) === SLASH ? 2 : 1;
  const end = tag.length - 1;
  if (start >= end || tag.charCodeAt(end) !== GREATER) return null;
  for (let at = start; at < end; at++) {
    const code = tag.charCodeAt(at);
    if (!((code >= 97 && code <= 122) || (code >= 49 && code <= 54))) return null;
  }
  const name = tag.slice(start, end);
  return policy.elements.has(name) ? tag : '';
}

function filterAttributes(text: string, allowed: ReadonlySet<string>, policy: Policy): string {
  const { attributes, end } = readAttributes(text, 0);
  if (end < 0) return '';
  let out = '';
  const seen = new Set<string>();
  for (const { name, raw } of attributes) {
    if (seen.has(name)) continue;
    seen.add(name);
    const isData = policy.global.size > 0 && /^data-[a-z0-9_-]+$/.test(name);
    if (!isData && !allowed.has(name) && !policy.global.has(name)) continue;
    out += filterAttribute(name, raw);
  }
  return out;
}

function filterAttribute(name: string, raw: string | null): string {
  if (raw === null) return name === 'style' ? '' : ` ${name}`;
  if (name === 'download') return '';
  const value = decodeReferences(raw);
  if (name === 'style') return styleAttribute(value);
  return ` ${name}="${encodeAttribute(ADDRESS_ATTRIBUTES.has(name) ? filterAddress(value) : value)}"`;
}

function styleAttribute(value: string): string {
  const filtered = filterStyle(value);
  if (filtered === '' || filtered === '0') return '';
  // A changed value is encoded again, with numeric references for apostrophes.
  return ` style="${filtered === value ? encodeAttribute(value) : encodeAttribute(filtered).replaceAll('&apos;', '&#039;')}"`;
}

function endsWithSlash(text: string): boolean {
  let end = text.length;
  while (end > 0 && isBlank(text.charCodeAt(end - 1))) end--;
  return text[end - 1] === '/';
}
