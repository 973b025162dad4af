/** JSON text in ASCII (everything else escaped), ready to be sent. */
export type JsonText = string;

/**
 * JSON with everything outside ASCII escaped. Such strings use one byte per character all the way to the socket; a single curly quote would
 * make a string, and every string it is joined to, several times slower.
 */
export function asciiJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return NOT_ASCII.test(text) ? text.replace(EACH_NOT_ASCII, escapeUnit) : text;
}

const NOT_ASCII = /[\u0080-\uffff]/;
const EACH_NOT_ASCII = /[\u0080-\uffff]/g;

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
