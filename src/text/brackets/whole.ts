/** The whole number that a text begins with; 0 for none. */
export function readWhole(text: string): number {
  return Number(/^[ \t\n\v\f\r]*([+-]?\d{1,15})/.exec(text)?.[1] ?? 0);
}

/** Whether a value says yes: any but an empty one, `0` and `false`. */
export function saysYes(value: string): boolean {
  return value !== '' && value !== '0' && value.toLowerCase() !== 'false';
}
