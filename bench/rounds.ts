/** Measures two sides in turn, so that whatever else the machine does meets both; answers what each measured. */
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

/** The value in the middle; the mean of the two there when there is no one. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? upper)) / 2;
}
