import type { Call, Sent } from './types.ts';

/** Computes a value from a request once, however often the request is checked or its command repeated. */
export function oncePerRequest<T>(make: (call: Call<unknown>) => T): (call: Call<unknown>) => T {
  const made = new WeakMap<Sent, { readonly value: T }>();
  return (call) => {
    const known = made.get(call.request);
    if (known !== undefined) return known.value;
    const value = make(call);
    made.set(call.request, { value });
    return value;
  };
}
