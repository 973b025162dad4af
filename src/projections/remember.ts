const mostKept = 256;

/** Keeps a few values that are asked for again and again; one request does so, two seldom. */
export function remember<K, V>(kept: Map<K, V>, key: K, load: () => V, most = mostKept): V {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const value = load();
  if (kept.size >= most) kept.clear();
  kept.set(key, value);
  return value;
}
