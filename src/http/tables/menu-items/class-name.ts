/** Reduces a word to a valid class name: letters, digits, `-` and `_`, without percent escapes. */
export function className(word: string): string {
  return word.replace(/%[a-f0-9]{2}/gi, '').replace(/[^A-Za-z0-9_-]/g, '');
}
