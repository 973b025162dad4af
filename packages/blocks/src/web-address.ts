import { dropLineEnds, filterAddress } from './escape-address.ts';

/** Normalises an address entered by a person: with a scheme, without blanks; '' if it is unsafe. */
export function webAddress(text: string): string {
  const plain = dropLineEnds(text.trimStart().replaceAll(' ', '%20').replace(UNWANTED, '')).replaceAll(';//', '://');
  if (plain === '') return '';
  const whole =
    plain.includes(':') || /^[/#?]/.test(plain) || /^[a-z0-9-]+?\.php/i.test(plain) ? plain : `http://${plain}`;
  const address = escapeBrackets(whole);
  return address.startsWith('/') || filterAddress(address).toLowerCase() === address.toLowerCase() ? address : '';
}

const UNWANTED = /[^a-z0-9\-~+_.?#=!&;,/:%@$|*'()[\]\u0080-\uffff]/gi;

function escapeBrackets(address: string): string {
  const [origin = ''] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i.exec(address) ?? [];
  return origin + address.slice(origin.length).replaceAll('[', '%5B').replaceAll(']', '%5D');
}
