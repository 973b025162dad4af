/** The integer at the start of a text; 0 if there is none. */
export function readWhole(text: string): number {
  return Number(/^[ \t\n\v\f\r]*([+-]?\d{1,15})/.exec(text)?.[1] ?? 0);
}

/** Whether a flag is set: false for the empty text, `0` and `false`. */
export function saysYes(value: string): boolean {
  return value !== '' && value !== '0' && value.toLowerCase() !== 'false';
}
