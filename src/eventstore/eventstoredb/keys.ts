import { setTimeout as wait } from 'node:timers/promises';
import type { StreamClient } from './client.ts';
import { verdictOn } from './faults.ts';
import { KEY_BYTES, newId, newKeys } from './seal.ts';

/** A key that no event uses yet. `id` consists of its bundle and its index there. */
export interface FreshKey {
  readonly id: string;
  readonly key: Uint8Array;
}

/**
 * The keys of sealed texts. They are stored beside the ledger in bundles, one stream each, of which only the newest event counts: a key
 * is destroyed by writing its bundle again without it.
 */
export interface Keys {
  take(count: number): Promise<readonly FreshKey[]>;
  /** Returns a key by its id; null when it has been destroyed. */
  find(id: string): Promise<Uint8Array | null>;
  /** Destroys keys. Idempotent. */
  destroy(ids: readonly string[]): Promise<void>;
}

/** Keys in the first bundle of a process, which may not need more; each further bundle is twice as large, up to `MOST`. */
const FIRST = 64;
const MOST = 1024;
/** Bundles kept in memory. */
const KEPT = 64;
const TRIES = 5;
const PAUSE = 200;
const NONE = Buffer.alloc(KEY_BYTES);

export function createKeys(client: StreamClient, site: string): Keys {
  const streamOf = (bundle: string) => `${site}-keys-${bundle}`;
  const bundles = new Map<string, Promise<Buffer>>();
  let fresh: FreshKey[] = [];
  let size = FIRST;
  let refilling: Promise<void> | null = null;

  async function refill(): Promise<void> {
    const bundle = newId();
    const keys = newKeys(size);
    const event = { id: newId(), type: 'SealKeys', data: new Uint8Array(keys), metadata: new Uint8Array() };
    await retried(() => client.append(streamOf(bundle), [event], -1));
    remember(bundle, Promise.resolve(keys));
    const made = Array.from({ length: size }, (_, i) => ({ id: `${bundle}/${i}`, key: keyAt(keys, i) }));
    fresh = [...fresh, ...made];
    size = Math.min(MOST, size * 2);
  }

  const refilled = () => {
    refilling ??= refill().finally(() => {
      refilling = null;
    });
    return refilling;
  };

  function remember(bundle: string, keys: Promise<Buffer>): Promise<Buffer> {
    const [oldest] = bundles.keys();
    if (bundles.size >= KEPT && oldest !== undefined) bundles.delete(oldest);
    bundles.set(bundle, keys);
    return keys;
  }

  async function newest(bundle: string): Promise<{ readonly revision: number; readonly keys: Buffer }> {
    const [event] = await client.read(streamOf(bundle), { backwards: true, limit: 1 });
    // A missing bundle is not an erasure: that keeps the bundle, with zeros in place of the key.
    if (event === undefined) throw new Error(`The event store lacks the keys ${bundle}`);
    return { revision: event.revision, keys: Buffer.from(event.data) };
  }

  function load(bundle: string): Promise<Buffer> {
    const known = bundles.get(bundle);
    if (known !== undefined) return known;
    const loading = newest(bundle).then(({ keys }) => keys);
    loading.catch(() => bundles.delete(bundle));
    return remember(bundle, loading);
  }

  async function rewrite(bundle: string, places: readonly number[]): Promise<void> {
    const { revision, keys } = await newest(bundle);
    const left = Buffer.from(keys);
    for (const place of places) NONE.copy(left, place * KEY_BYTES);
    const last = left.equals(keys) ? revision : revision + 1;
    if (last > revision) {
      const event = { id: newId(), type: 'SealKeys', data: new Uint8Array(left), metadata: new Uint8Array() };
      await client.append(streamOf(bundle), [event], revision);
    }
    // Even if nothing was rewritten: an earlier call may have failed before this point.
    const data = { $tb: last } as never;
    await client.setMetadata(streamOf(bundle), { id: newId(), type: '$metadata', data, metadata: new Uint8Array() });
    remember(bundle, Promise.resolve(left));
  }

  return {
    async take(count) {
      if (count === 0) return [];
      while (fresh.length < count) await refilled();
      // In advance, so that appends hardly ever wait. A failure is reported to the append that needs the keys.
      if (fresh.length - count < size / 4) refilled().catch(() => undefined);
      return fresh.splice(0, count);
    },
    async find(id) {
      const [bundle, place] = partsOf(id);
      const key = keyAt(await load(bundle), place);
      return NONE.equals(key) ? null : key;
    },
    async destroy(ids) {
      const places = Map.groupBy(ids, (id) => partsOf(id)[0]);
      for (const [bundle, group] of places) {
        await retried(() =>
          rewrite(
            bundle,
            group.map((id) => partsOf(id)[1]),
          ),
        );
      }
    },
  };
}

function keyAt(keys: Buffer, place: number): Buffer {
  return keys.subarray(place * KEY_BYTES, (place + 1) * KEY_BYTES);
}

function partsOf(id: string): readonly [bundle: string, place: number] {
  const [bundle = '', place = ''] = id.split('/');
  return [bundle, Number(place)];
}

/** Retries idempotent work a few times. */
async function retried(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries >= TRIES || verdictOn(error) === 'refused') throw error;
      await wait(PAUSE);
    }
  }
}
