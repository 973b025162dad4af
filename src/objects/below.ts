import type { ObjectStore } from './port.ts';

/** The objects of a store whose keys have a prefix, with the prefix removed. */
export function below(store: ObjectStore, prefix: string): ObjectStore {
  return {
    address: `${store.address}${store.address.endsWith('/') ? '' : '/'}${prefix}`,
    head: (key) => store.head(prefix + key),
    read: (key, part) => store.read(prefix + key, part),
    put: (key, source) => store.put(prefix + key, source),
    take: (key, path) => store.take(prefix + key, path),
    remove: (key) => store.remove(prefix + key),
    async *list(start) {
      for await (const { key, ...info } of store.list(prefix + start)) yield { key: key.slice(prefix.length), ...info };
    },
    now: store.now,
    pathOf: (key) => store.pathOf(prefix + key),
    close: store.close,
  };
}

export async function listedOnce(store: ObjectStore): Promise<ObjectStore> {
  const infos = new Map((await Array.fromAsync(store.list(''))).map(({ key, ...info }) => [key, info]));
  return { ...store, head: async (key) => infos.get(key) ?? store.head(key) };
}
