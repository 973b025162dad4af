import { filterAddress } from './filter-address.ts';
import { normaliseReferences } from './references.ts';

const FORBIDDEN = /[^a-z0-9\-~+_.?#=!&;,/:%@$|*'()[\]\x80-\uffff]/gi;
const LINE_END = /%0[da]/gi;

/** Escapes an address for an attribute; '' if its scheme is not allowed. A bare word counts as a host. */
export function escapeAddress(given: string): string {
  let address = given.trimStart().replaceAll(' ', '%20').replace(FORBIDDEN, '');
  if (!/^mailto:/i.test(address)) while (LINE_END.test(address)) address = address.replace(LINE_END, '');
  address = address.replaceAll(';//', '://');
  if (address === '') return '';
  if (!address.includes(':') && !/^[/#?]|^[a-z0-9-]+?\.php/i.test(address)) address = `http://${address}`;
  address = normaliseReferences(address).replaceAll('&amp;', '&#038;').replaceAll("'", '&#039;');
  if (/[[\]]/.test(address)) address = encodeBrackets(address);
  if (address.startsWith('/')) return address;
  return filterAddress(address).toLowerCase() === address.toLowerCase() ? address : '';
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
