import type { Call } from './types.ts';

/** Computes a value from a request once, however often the request is checked or its command repeated. */
export function oncePerRequest<T>(make: (call: Call<unknown>) => T): (call: Call<unknown>) => T {
  return (call) => {
    const { once } = call.request;
    if (once.has(make)) return once.get(make) as T;
    const value = make(call);
    once.set(make, value);
    return value;
  };
}
