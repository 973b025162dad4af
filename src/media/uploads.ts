import type { StoredFile } from '#domain/media/commands.ts';
import type { EditStep } from '#domain/media/editing.ts';
import { endingOf, fileName, stemOf } from '#domain/media/naming.ts';
import type { Dimensions } from '#domain/media/sizes.ts';
import { extensionOfType, isImageType } from '#domain/media/types.ts';
import { recognise } from './content.ts';
import { loadDecoder } from './decoder.ts';
import { type EditFault, editImage } from './edit.ts';
import type { KeptFile, MediaFiles } from './files.ts';
import { cutImage, type ImageReport, makeMissing, noImage, processImage } from './image.ts';
import type { Partials } from './partials.ts';
import { readPhoto } from './photo.ts';
import type { Arrived } from './receive.ts';
import { readRecording } from './recording.ts';

export interface UploadOptions {
  readonly files: MediaFiles;
  readonly partials: Partials;
  /** Maximum size of a file in bytes. */
  readonly limit: number;
  /** Maximum number of pixels of an image. */
  readonly pixels: number;
  /** Works on images one after the other. */
  readonly images: ImageQueue;
  readonly isNamed: (hash: string) => boolean;
  /** Brings `isNamed` up to date with the log. */
  readonly refresh: () => Promise<unknown>;
}

export interface Uploads {
  readonly limit: number;
  /** Those that arrive in pieces; absent: there are none. */
  readonly partials?: Partials;
  open(): UploadWork;
}

export type Unfit = 'type' | 'pixels';

export interface UploadWork {
  /** Writes bytes to a scratch file as they arrive; null if they exceed the limit. Drops what was received before. */
  receive(source: AsyncIterable<Buffer>, how: { readonly md5: boolean }): Promise<Arrived | null>;
  /** Examines a received file, makes its sizes, and stores all files so that events can name them. Texts in it are not filtered. */
  store(arrived: Arrived, wanted: WantedUpload): Promise<StoredFile | Unfit>;
  /** Cuts a size from the middle of a stored image and stores it; null if the image is unreadable. */
  cut(hash: string, type: string, size: Dimensions): Promise<KeptFile | null>;
  /** Stores another form of an image if it has the given type and size; otherwise null. */
  form(bytes: Buffer, like: Dimensions & { readonly type: string }): Promise<KeptFile | null>;
  edit(hash: string, edit: Edit): Promise<StoredFile | EditFault>;
  /** Makes and stores the named sizes of a stored image; empty if it is unreadable. */
  size(hash: string, type: string, names: readonly string[]): Promise<ImageReport['sizes']>;
  /**
   * Ends the work: removes files that no event names, unless another upload needs them. `sure`: whether `isNamed` already knows the event,
   * if there is one; false after a fault.
   */
  close(sure: boolean): Promise<void>;
}

export interface WantedUpload {
  readonly name: string;
  readonly title: string | null;
  readonly resizes: boolean;
}

export interface Edit {
  readonly type: string;
  readonly name: string;
  readonly steps: readonly EditStep[];
}

export function createUploads(options: UploadOptions): Uploads {
  return { limit: options.limit, partials: options.partials, open: () => new OneUpload(options) };
}

class OneUpload implements UploadWork {
  readonly #options: UploadOptions;
  readonly #images: ImageQueue;
  readonly #kept: KeptFile[] = [];
  #arrived: Arrived | null = null;

  constructor(options: UploadOptions) {
    this.#options = options;
    this.#images = options.images;
  }

  async receive(source: AsyncIterable<Buffer>, { md5 }: { readonly md5: boolean }): Promise<Arrived | null> {
    const { files, limit } = this.#options;
    await this.#drop();
    this.#arrived = await files.receive(source, { limit, md5 });
    return this.#arrived;
  }

  async store(file: Arrived, { name: given, title, resizes }: WantedUpload): Promise<StoredFile | Unfit> {
    const name = fileName(given);
    const kind = name === null ? null : await recognise(endingOf(name), file.head);
    if (name === null || kind === null) return 'type';
    const { type, extension } = kind;
    const report = isImageType(type) ? await this.#process(file, type, resizes) : noImage;
    if (report === null) return 'pixels';
    const said = await saidIn(file.path, type);
    const kept = await this.#keep(file);
    this.#arrived = null;
    const named = { name: `${stemOf(name)}.${extension}`, title };
    return { type, ...named, ...kept, ...report, ...said };
  }

  cut(hash: string, type: string, size: Dimensions): Promise<KeptFile | null> {
    const { files } = this.#options;
    return this.#images(async () => {
      const cut = await files.locally(hash, (path) => cutImage(path, type, size));
      return cut === null ? null : this.#keepBytes(cut);
    });
  }

  form(bytes: Buffer, { type, width, height }: Dimensions & { readonly type: string }): Promise<KeptFile | null> {
    const { files } = this.#options;
    return this.#images(async () => {
      await this.#drop();
      const file = await files.receive(only(bytes), { limit: bytes.length, md5: false });
      this.#arrived = file;
      const kind = file && (await recognise(extensionOfType(type) ?? '', file.head));
      const seen = file && kind?.type === type ? await (await loadDecoder(type))?.lookAt(file.path) : null;
      if (file === null || seen?.width !== width || seen.height !== height) return null;
      this.#arrived = null;
      return this.#keep(file);
    });
  }

  async edit(hash: string, { type, name, steps }: Edit): Promise<StoredFile | EditFault> {
    const { files, pixels } = this.#options;
    const edited = (path: string) => editImage(path, { type, steps }, { pixels });
    const made = await this.#images(() => files.locally(hash, edited));
    if (typeof made === 'string') return made;
    this.#arrived = await files.receive(only(made), { limit: made.length, md5: false });
    const stored = this.#arrived && (await this.store(this.#arrived, { name, title: null, resizes: true }));
    return stored === null || typeof stored === 'string' ? 'unreadable' : stored;
  }

  size(hash: string, type: string, names: readonly string[]): Promise<ImageReport['sizes']> {
    const keep = (bytes: Buffer) => this.#keepBytes(bytes);
    const made = (path: string) => makeMissing(path, { type, names }, keep);
    return this.#images(() => this.#options.files.locally(hash, made));
  }

  async close(sure: boolean): Promise<void> {
    const { files, isNamed, refresh } = this.#options;
    await this.#drop();
    const knows = sure || this.#kept.length === 0 || (await refresh().then(yes, no));
    for (const { hash } of this.#kept.splice(0)) await files.release(hash, knows ? isNamed : yes);
  }

  #process(file: Arrived, type: string, resizes: boolean): Promise<ImageReport | null> {
    const { pixels } = this.#options;
    return this.#images(() => processImage(file, { type, pixels, resizes, keep: (bytes) => this.#keepBytes(bytes) }));
  }

  async #keepBytes(bytes: Buffer): Promise<KeptFile> {
    const file = await this.#options.files.receive(only(bytes), { limit: bytes.length, md5: false });
    if (file === null) throw new Error('what was made cannot be longer than it is');
    return this.#keep(file);
  }

  async #keep(file: Arrived): Promise<KeptFile> {
    const kept = await this.#options.files.keep(file);
    this.#kept.push(kept);
    return kept;
  }

  async #drop(): Promise<void> {
    if (this.#arrived !== null) await this.#options.files.drop(this.#arrived);
    this.#arrived = null;
  }
}

/** What a file says about itself. */
async function saidIn(path: string, type: string): Promise<Pick<StoredFile, 'photo' | 'recording'>> {
  const photo = isImageType(type) ? await readPhoto(path, type) : null;
  const recording = await readRecording(path, type);
  return { ...(photo === null ? {} : { photo }), ...(recording === null ? {} : { recording }) };
}

export type ImageQueue = <T>(work: () => Promise<T>) => Promise<T>;

export function createImageQueue(): ImageQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

const yes = () => true;
const no = () => false;

async function* only(bytes: Buffer): AsyncIterable<Buffer> {
  yield bytes;
}
