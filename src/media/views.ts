import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { imageFormats, viewQuery, type WantedView } from '#domain/media/view.ts';
import { ObjectMissing, type ObjectPart, type ObjectStore } from '#objects/port.ts';
import { type ViewFault, viewImage } from './image.ts';
import type { ImageQueue } from './uploads.ts';

/** A stored image of which a view is wanted. */
export interface ViewedImage {
  readonly hash: string;
  readonly type: string;
}

/** A view, as it is delivered. */
export interface MadeView {
  /** Digest of its bytes. */
  readonly hash: string;
  readonly type: string;
  readonly bytes: number;
  readonly read: (part: ObjectPart) => Promise<Readable>;
}

export interface ImageViewsOptions {
  /** Where views are kept. */
  readonly store: ObjectStore;
  /** Bytes of all that are kept. */
  readonly limit: number;
  /** Maximum number of pixels of an image. */
  readonly pixels: number;
  /** See `MediaFiles.locally`. */
  readonly locally: <T>(hash: string, work: (path: string) => Promise<T>) => Promise<T>;
  /** Images are worked on one at a time. */
  readonly images: ImageQueue;
  readonly isNamed: (hash: string) => boolean;
  readonly onFault: (error: unknown) => void;
}

interface KeptView extends Pick<MadeView, 'hash' | 'bytes'> {
  readonly key: string;
  /** Whether its bytes are what was written, once that was asked. */
  isIntact?: Promise<boolean>;
}

/** Why there is no view; `crowded`: too many wait to be made. */
export type NoView = ViewFault | 'crowded';

/** Views that may wait to be made. */
const mostWaiting = 200;
/** Digest of an image, view, digest of its bytes. */
const KEY = /^([\da-f]{2}\/([\da-f]{64})\/[\w=&]+)\.([\da-f]{64})$/;

/**
 * Views of images by address: each is made once at a time, and kept beside the uploads until others need the space; the least recently used
 * go first, after a start the oldest. They follow from the images, and go with them: `forget` is part of removing a file.
 *
 * Why, and what was rejected: `docs/adr/0089-images-by-address.md`.
 */
export class ImageViews {
  readonly #options: ImageViewsOptions;
  readonly #making = new Map<string, Promise<MadeView | ViewFault>>();
  #kept: Promise<LRUCache<string, KeptView>> | undefined;
  /** What is removed from the disk at the moment. */
  #removing: Promise<unknown> = Promise.resolve();
  /** The image of which a view is being made. */
  #worked: { readonly hash: string; readonly done: Promise<void> } | null = null;
  /** Views are made one after the other, so that an upload waits for one at most. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ImageViewsOptions) {
    this.#options = options;
  }

  async find(image: ViewedImage, view: WantedView): Promise<MadeView | NoView> {
    const kept = await this.#index();
    const id = `${folderOf(image.hash)}${viewQuery(view) || 'whole'}`;
    const found = kept.get(id);
    if (found !== undefined) {
      found.isIntact ??= this.#isIntact(found);
      const again = () => {
        if (kept.peek(id) === found) kept.delete(id);
        return this.find(image, view);
      };
      return (await found.isIntact) ? this.#delivered(found, typeOf(image, view), again) : again();
    }
    return this.#making.get(id) ?? this.#begin(id, image, view);
  }

  /**
   * Removes all views of an image, whose bytes are gone. One that is being made of them is waited for, and no other can be made: what waits
   * for its turn is not waited for, since an upload that has the turn may wait for this.
   */
  async forget(hash: string): Promise<void> {
    const prefix = folderOf(hash);
    if (this.#worked?.hash === hash) await this.#worked.done;
    const kept = await this.#index();
    for (const id of [...kept.keys()]) if (id.startsWith(prefix)) kept.delete(id);
    await this.#removing;
    for await (const { key } of this.#options.store.list(prefix)) await this.#options.store.remove(key);
  }

  async #begin(id: string, image: ViewedImage, view: WantedView): Promise<MadeView | NoView> {
    if (this.#making.size >= mostWaiting) return 'crowded';
    const made = this.#last.then(() => this.#make(id, image, view));
    this.#last = made.catch(() => undefined);
    this.#making.set(id, made);
    const end = () => void this.#making.delete(id);
    made.then(end, end);
    return made;
  }

  async #make(id: string, image: ViewedImage, view: WantedView): Promise<MadeView | ViewFault> {
    const { images, locally, pixels } = this.#options;
    const { promise: done, resolve: end } = Promise.withResolvers<void>();
    const type = typeOf(image, view);
    try {
      const made = await images(() => {
        this.#worked = { hash: image.hash, done };
        return locally(image.hash, (path) => viewImage(path, { view, type, pixels }));
      });
      return Buffer.isBuffer(made) ? await this.#put(id, type, made) : made;
    } finally {
      end();
    }
  }

  async #put(id: string, type: string, made: Buffer): Promise<MadeView> {
    const { store, onFault } = this.#options;
    const hash = digestOf(made);
    const kept: KeptView = { key: `${id}.${hash}`, hash, bytes: made.length, isIntact: Promise.resolve(true) };
    // After what may have the same key. A view that cannot be kept is answered as well.
    await this.#removing;
    await store.put(kept.key, Readable.from([made])).then(() => this.#keep(id, kept), onFault);
    return {
      hash,
      type,
      bytes: made.length,
      read: async ({ start, end }) => Readable.from([made.subarray(start, end + 1)]),
    };
  }

  async #keep(id: string, view: KeptView): Promise<void> {
    const kept = await this.#index();
    kept.set(id, view);
    // One that is larger than all that may be kept.
    if (!kept.has(id)) await this.#options.store.remove(view.key);
  }

  /** `again`: finds the view once more; it may have been removed in between. */
  #delivered({ key, hash, bytes }: KeptView, type: string, again: () => Promise<MadeView | NoView>): MadeView {
    const read = (part: ObjectPart) =>
      this.#options.store.read(key, part).catch(async (error: unknown) => {
        const made = error instanceof ObjectMissing ? await again() : null;
        if (made === null || typeof made === 'string' || made.hash !== hash) throw error;
        return made.read(part);
      });
    return { hash, type, bytes, read };
  }

  async #isIntact({ key, hash }: KeptView): Promise<boolean> {
    try {
      const digest = createHash('sha256');
      for await (const chunk of await this.#options.store.read(key)) digest.update(chunk);
      return digest.digest('hex') === hash;
    } catch {
      return false;
    }
  }

  #index(): Promise<LRUCache<string, KeptView>> {
    this.#kept ??= this.#load();
    return this.#kept;
  }

  async #load(): Promise<LRUCache<string, KeptView>> {
    const { store, limit, isNamed, onFault } = this.#options;
    const kept = new LRUCache<string, KeptView>({
      maxSize: Math.max(1, limit),
      sizeCalculation: ({ bytes }) => Math.max(1, bytes),
      dispose: ({ key }) => {
        this.#removing = this.#removing.then(() => store.remove(key)).catch(onFault);
      },
      // Nothing is replaced: a view is made only while there is none.
      noDisposeOnSet: true,
    });
    const all = await Array.fromAsync(store.list('')).catch((error: unknown) => {
      onFault(error);
      return [];
    });
    for (const { key, bytes } of all.sort((a, b) => a.changed - b.changed)) {
      const [, id = '', of = '', hash = ''] = KEY.exec(key) ?? [];
      // What a kill has left, and views of images that are gone.
      if (id === '' || kept.has(id) || !isNamed(of)) await store.remove(key);
      else kept.set(id, { key, hash, bytes });
    }
    return kept;
  }
}

function typeOf({ type }: ViewedImage, { fm }: WantedView): string {
  return fm === null ? type : imageFormats[fm];
}

function folderOf(hash: string): string {
  return `${hash.slice(0, 2)}/${hash}/`;
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
