/** What a function makes of each, in order, a few of them at once. */
export async function* inOrder<T, R>(
  all: Iterable<T> | AsyncIterable<T>,
  atOnce: number,
  make: (one: T) => Promise<R>,
): AsyncGenerator<R> {
  const begun: Promise<R>[] = [];
  for await (const one of all) {
    if (begun.length >= atOnce) yield await (begun.shift() as Promise<R>);
    const made = make(one);
    // One that fails while an earlier one is waited for is no fault of the process.
    made.catch(() => undefined);
    begun.push(made);
  }
  while (begun.length > 0) yield await (begun.shift() as Promise<R>);
}
