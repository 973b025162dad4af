import type { StoredFile } from '#domain/media/commands.ts';
import { endingOf, fileName, stemOf } from '#domain/media/naming.ts';
import { isImageType } from '#domain/media/types.ts';
import { type FileKind, recognise } from './content.ts';
import type { KeptFile, MediaFiles } from './files.ts';
import { noImage, processImage } from './image.ts';
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

export function createUploads({ files, limit, pixels, isNamed, refresh }: UploadOptions): Uploads {
  // One image after the other: each may need a lot of memory.
  let images: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = images.then(work);
    images = turn.catch(() => undefined);
    return turn;
  };
  return {
    limit,
    open() {
      let arrived: Arrived | null = null;
      const held: KeptFile[] = [];
      const keep = async (file: Arrived): Promise<KeptFile> => {
        const kept = await files.keep(file);
        held.push(kept);
        return kept;
      };
      const keepBytes = async (bytes: Buffer): Promise<KeptFile> => {
        const file = await files.receive(only(bytes), { limit: Number.POSITIVE_INFINITY, md5: false });
        if (file === null) throw new Error('what was made cannot be too large');
        return keep(file);
      };
      const drop = async () => {
        if (arrived !== null) await files.drop(arrived);
        arrived = null;
      };
      const describe = ({ type }: FileKind, file: Arrived, resizes: boolean) =>
        isImageType(type) ? inTurn(() => processImage(file, { type, pixels, resizes, keep: keepBytes })) : noImage;
      return {
        async receive(source, { md5 }) {
          await drop();
          arrived = await files.receive(source, { limit, md5 });
          return arrived;
        },
        async store(file, { name: given, title, resizes }) {
          const name = fileName(given);
          const kind = name === null ? null : await recognise(endingOf(name), file.head);
          if (name === null || kind === null) return 'type';
          const report = await describe(kind, file, resizes);
          if (report === null) return 'pixels';
          arrived = null;
          const { hash, bytes } = await keep(file);
          return { type: kind.type, name: `${stemOf(name)}.${kind.ending}`, title, hash, bytes, ...report };
        },
        async close(sure) {
          await drop();
          const knows = sure || held.length === 0 || (await refresh().then(yes, no));
          for (const { hash } of held.splice(0)) files.release(hash, knows ? isNamed : yes);
        },
      };
    },
  };
}

const yes = () => true;
const no = () => false;

async function* only(bytes: Buffer): AsyncIterable<Buffer> {
  yield bytes;
}
