/** Measures two sides alternately, so that other load on the machine affects both. Returns the results of each. */
export async function inTurn<A, B>(
  rounds: number,
  sides: { readonly product: () => Promise<A>; readonly limit: () => Promise<B> },
): Promise<{ readonly product: readonly A[]; readonly limit: readonly B[] }> {
  const product: A[] = [];
  const limit: B[] = [];
  for (let round = 0; round < rounds; round++) {
    product.push(await sides.product());
    limit.push(await sides.limit());
  }
  return { product, limit };
}

/** The median; for an even number of values, the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? upper)) / 2;
}
