/** Follows parents upwards; stops at the top or before a cycle. */
export function lineage(id: number, parentOf: (id: number) => number): readonly number[] {
  const chain: number[] = [];
  for (let at = id; at !== 0 && !chain.includes(at); at = parentOf(at)) chain.push(at);
  return chain;
}
