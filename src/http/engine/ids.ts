/** The id in a parameter, checked or not; 0 if it is not an id. */
export function idFrom(value: unknown): number {
  const id = typeof value === 'string' ? Number(value.trim()) : value;
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : 0;
}
