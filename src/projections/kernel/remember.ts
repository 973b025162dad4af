const maxKept = 256;

/** Keeps a few frequently used values: those that one request needs repeatedly. */
export function remember<K, V>(kept: Map<K, V>, key: K, load: () => V, max = maxKept): V {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const value = load();
  if (kept.size >= max) kept.clear();
  kept.set(key, value);
  return value;
}
