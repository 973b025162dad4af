import type { StoredFile } from '#domain/media/commands.ts';
import type { EditStep } from '#domain/media/editing.ts';
import { endingOf, fileName, stemOf } from '#domain/media/naming.ts';
import type { Dimensions } from '#domain/media/sizes.ts';
import { isImageType } from '#domain/media/types.ts';
import { recognise } from './content.ts';
import { type EditFault, editImage } from './edit.ts';
import type { KeptFile, MediaFiles } from './files.ts';
import { cutImage, type ImageReport, makeMissing, noImage, processImage } from './image.ts';
import type { Arrived } from './receive.ts';

export interface UploadOptions {
  readonly files: MediaFiles;
  /** Most bytes of one file. */
  readonly limit: number;
  /** Most pixels of one image. */
  readonly pixels: number;
  /** Whether an event names a file. */
  readonly isNamed: (hash: string) => boolean;
  /** Sees to it that `isNamed` knows all of the log. */
  readonly refresh: () => Promise<unknown>;
}

/** Takes uploads in, each as a piece of work of its own. */
export interface Uploads {
  readonly limit: number;
  open(): UploadWork;
}

/** Why a file is not taken. */
export type Unfit = 'type' | 'pixels';

/** One upload on its way from the network to the event that names it. */
export interface UploadWork {
  /** Writes the bytes down as they arrive; null when there are too many. What came before is forgotten. */
  receive(source: AsyncIterable<Buffer>, how: { readonly md5: boolean }): Promise<Arrived | null>;
  /** Looks at what has arrived, makes what belongs to it, and puts all of it where events can name it. */
  store(arrived: Arrived, wanted: Wanted): Promise<StoredFile | Unfit>;
  /** Cuts a size out of the middle of an image that is kept, and keeps that; null when the image cannot be read. */
  cut(hash: string, type: string, size: Dimensions): Promise<KeptFile | null>;
  /** Edits an image that is kept, and keeps what comes of it as a file of that name, with its sizes. */
  edit(hash: string, edit: Edit): Promise<StoredFile | EditFault>;
  /** Makes those sizes of an image that is kept, and keeps them; none when the image cannot be read. */
  size(hash: string, type: string, names: readonly string[]): Promise<ImageReport['sizes']>;
  /**
   * The end of it: what no event names is removed, unless another upload needs it. `sure`: whether the event, if there
   * is one, has been seen; a fault may have come between.
   */
  close(sure: boolean): Promise<void>;
}

export interface Wanted {
  /** The file's name as the client gave it. */
  readonly name: string;
  readonly title: string | null;
  /** Whether images are made smaller. */
  readonly resizes: boolean;
}

export interface Edit {
  readonly type: string;
  readonly name: string;
  readonly steps: readonly EditStep[];
}

export function createUploads(options: UploadOptions): Uploads {
  const images = createQueue();
  return { limit: options.limit, open: () => new OneUpload(options, images) };
}

class OneUpload implements UploadWork {
  readonly #options: UploadOptions;
  readonly #images: Queue;
  readonly #kept: KeptFile[] = [];
  #arrived: Arrived | null = null;

  constructor(options: UploadOptions, images: Queue) {
    this.#options = options;
    this.#images = images;
  }

  async receive(source: AsyncIterable<Buffer>, { md5 }: { readonly md5: boolean }): Promise<Arrived | null> {
    const { files, limit } = this.#options;
    await this.#drop();
    this.#arrived = await files.receive(source, { limit, md5 });
    return this.#arrived;
  }

  async store(file: Arrived, { name: given, title, resizes }: Wanted): Promise<StoredFile | Unfit> {
    const name = fileName(given);
    const kind = name === null ? null : await recognise(endingOf(name), file.head);
    if (name === null || kind === null) return 'type';
    const { type, ending } = kind;
    const report = isImageType(type) ? await this.#process(file, type, resizes) : noImage;
    if (report === null) return 'pixels';
    const kept = await this.#keep(file);
    this.#arrived = null;
    return { type, name: `${stemOf(name)}.${ending}`, title, ...kept, ...report };
  }

  cut(hash: string, type: string, size: Dimensions): Promise<KeptFile | null> {
    const path = this.#options.files.path(hash);
    return this.#images(async () => {
      const cut = await cutImage(path, type, size);
      return cut === null ? null : this.#keepBytes(cut);
    });
  }

  async edit(hash: string, { type, name, steps }: Edit): Promise<StoredFile | EditFault> {
    const { files, pixels } = this.#options;
    const made = await this.#images(() => editImage(files.path(hash), { type, steps }, { pixels }));
    if (typeof made === 'string') return made;
    this.#arrived = await files.receive(only(made), { limit: made.length, md5: false });
    const stored = this.#arrived && (await this.store(this.#arrived, { name, title: null, resizes: true }));
    return stored === null || typeof stored === 'string' ? 'unreadable' : stored;
  }

  size(hash: string, type: string, names: readonly string[]): Promise<ImageReport['sizes']> {
    const path = this.#options.files.path(hash);
    return this.#images(() => makeMissing(path, { type, names }, (bytes) => this.#keepBytes(bytes)));
  }

  async close(sure: boolean): Promise<void> {
    const { files, isNamed, refresh } = this.#options;
    await this.#drop();
    const knows = sure || this.#kept.length === 0 || (await refresh().then(yes, no));
    for (const { hash } of this.#kept.splice(0)) files.release(hash, knows ? isNamed : yes);
  }

  /** One image after the other: each may need a lot of memory. */
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

/** Does pieces of work one after the other. */
type Queue = <T>(work: () => Promise<T>) => Promise<T>;

function createQueue(): Queue {
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
