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
  /** Forgets what is in memory: the server may not have it any more. */
  forget(): void;
  /** Takes the place of what was forgotten, so that the next append does not wait for it. */
  renew(): void;
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
  return new BundledKeys(new Bundles(client, site));
}

class BundledKeys implements Keys {
  readonly #bundles: Bundles;
  #fresh: FreshKey[] = [];
  #size = FIRST;
  #forgotten = 0;
  #refilling: Promise<void> | null = null;

  constructor(bundles: Bundles) {
    this.#bundles = bundles;
  }

  async take(count: number): Promise<readonly FreshKey[]> {
    if (count === 0) return [];
    while (this.#fresh.length < count) await this.#refilled();
    // In advance, so that appends hardly ever wait. A failure is reported to the append that needs the keys.
    if (this.#fresh.length - count < this.#size / 4) this.#refilled().catch(() => undefined);
    return this.#fresh.splice(0, count);
  }

  async find(id: string): Promise<Uint8Array | null> {
    const [bundle, place] = partsOf(id);
    const key = keyAt(await this.#bundles.load(bundle), place);
    return NONE.equals(key) ? null : key;
  }

  async destroy(ids: readonly string[]): Promise<void> {
    const places = Map.groupBy(ids, (id) => partsOf(id)[0]);
    for (const [bundle, group] of places) {
      await retried(() =>
        this.#bundles.rewrite(
          bundle,
          group.map((id) => partsOf(id)[1]),
        ),
      );
    }
  }

  forget(): void {
    this.#forgotten += 1;
    this.#fresh = [];
    this.#bundles.forget();
  }

  renew(): void {
    if (this.#size > FIRST && this.#fresh.length === 0) this.#refilled().catch(() => undefined);
  }

  #refilled(): Promise<void> {
    this.#refilling ??= this.#refill().finally(() => {
      this.#refilling = null;
    });
    return this.#refilling;
  }

  async #refill(): Promise<void> {
    const bundle = newId();
    const size = this.#size;
    const forgotten = this.#forgotten;
    const keys = newKeys(size);
    await this.#bundles.add(bundle, keys);
    if (forgotten !== this.#forgotten) return;
    const made = Array.from({ length: size }, (_, i) => ({ id: `${bundle}/${i}`, key: keyAt(keys, i) }));
    this.#fresh = [...this.#fresh, ...made];
    this.#size = Math.min(MOST, size * 2);
  }
}

/** The streams of bundles, some of which are kept in memory. */
class Bundles {
  readonly #client: StreamClient;
  readonly #site: string;
  readonly #kept = new Map<string, Promise<Buffer>>();

  constructor(client: StreamClient, site: string) {
    this.#client = client;
    this.#site = site;
  }

  forget(): void {
    this.#kept.clear();
  }

  async add(bundle: string, keys: Buffer): Promise<void> {
    const event = eventOf(keys);
    await retried(() => this.#client.append(this.#streamOf(bundle), [event], -1));
    this.#remember(bundle, Promise.resolve(keys));
  }

  load(bundle: string): Promise<Buffer> {
    const known = this.#kept.get(bundle);
    if (known !== undefined) return known;
    const loading = this.#newest(bundle).then(({ keys }) => keys);
    loading.catch(() => this.#kept.delete(bundle));
    return this.#remember(bundle, loading);
  }

  /** Writes a bundle again without some of its keys. */
  async rewrite(bundle: string, places: readonly number[]): Promise<void> {
    const { revision, keys } = await this.#newest(bundle);
    const left = Buffer.from(keys);
    for (const place of places) NONE.copy(left, place * KEY_BYTES);
    const last = left.equals(keys) ? revision : revision + 1;
    const stream = this.#streamOf(bundle);
    if (last > revision) await this.#client.append(stream, [eventOf(left)], revision);
    // Even if nothing was rewritten: an earlier call may have failed before this point.
    const data = { $tb: last } as never;
    await this.#client.setMetadata(stream, { id: newId(), type: '$metadata', data, metadata: new Uint8Array() });
    this.#remember(bundle, Promise.resolve(left));
  }

  #remember(bundle: string, keys: Promise<Buffer>): Promise<Buffer> {
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(bundle, keys);
    return keys;
  }

  async #newest(bundle: string): Promise<{ readonly revision: number; readonly keys: Buffer }> {
    const [event] = await this.#client.read(this.#streamOf(bundle), { backwards: true, limit: 1 });
    // A missing bundle is not an erasure: that keeps the bundle, with zeros in place of the key.
    if (event === undefined) throw new Error(`The event store lacks the keys ${bundle}`);
    return { revision: event.revision, keys: Buffer.from(event.data) };
  }

  #streamOf(bundle: string): string {
    return `${this.#site}-keys-${bundle}`;
  }
}

function eventOf(keys: Buffer) {
  return { id: newId(), type: 'SealKeys', data: new Uint8Array(keys), metadata: new Uint8Array() };
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
