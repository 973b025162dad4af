/** A word as a class of an element can be: letters, digits, `-` and `_`, percent escapes removed. */
export function className(word: string): string {
  return word.replace(/%[a-f0-9]{2}/gi, '').replace(/[^A-Za-z0-9_-]/g, '');
}
