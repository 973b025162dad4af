/** The collection that the benches request. */
export const posts = '/cms-json/cms/v2/posts';

export const media = '/cms-json/cms/v2/media';

export const batch = '/cms-json/batch/v1';

export const item = (id: number): string => `${posts}/${id}`;

/** Returns a collection address; lists become `name[0]=…`. */
export function list(query: Readonly<Record<string, string | number | readonly (string | number)[]>>): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.map((one, i) => `${name}[${i}]=${encodeURIComponent(one)}`)
      : [`${name}=${encodeURIComponent(String(value))}`],
  );
  return parts.length === 0 ? posts : `${posts}?${parts.join('&')}`;
}
