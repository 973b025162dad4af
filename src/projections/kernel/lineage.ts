/** Follows parents upwards; stops at the top or before a cycle. */
export function lineage(id: number, parentOf: (id: number) => number): readonly number[] {
  const chain = new Set<number>();
  for (let at = id; at !== 0 && !chain.has(at); at = parentOf(at)) chain.add(at);
  return [...chain];
}
