import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileStore } from '@tus/file-store';
import type { Upload } from '@tus/server';
import { PARTIALS_LAST } from '#media/partials.ts';

/** A description of an upload, which remains for a while once it has become a media item. */
interface Described extends Upload {
  readonly media?: number;
}

/** Keeps uploads that arrive in pieces. What has become an item is complete, and has no bytes here. */
export class ResumableStore extends FileStore {
  override extensions = ['creation', 'creation-with-upload', 'termination', 'expiration'];

  constructor(directory: string) {
    super({ directory, expirationPeriodInMilliseconds: PARTIALS_LAST });
  }

  async describe(id: string): Promise<Described | undefined> {
    return (await this.configstore.get(id)) as Described | undefined;
  }

  /** The item that an upload has become; null: none yet. */
  async mediaOf(id: string): Promise<number | null> {
    return (await this.describe(id))?.media ?? null;
  }

  pathOf(id: string): string {
    return join(this.directory, id);
  }

  /** Keeps of an upload what it has become, for a client that has lost the answer, and neither its bytes nor its texts. */
  async complete(id: string, media: number): Promise<void> {
    const path = this.pathOf(id);
    const described = await this.describe(id);
    if (described !== undefined) {
      // Nobody may read half of it.
      await writeFile(`${path}.new`, JSON.stringify({ ...described, media, metadata: undefined }));
      await rename(`${path}.new`, `${path}.json`);
    }
    await rm(path, { force: true });
  }

  override async getUpload(id: string): Promise<Upload> {
    const described = await this.describe(id);
    if (described?.media !== undefined) return { ...described, offset: described.size ?? 0, sizeIsDeferred: false };
    const upload = await super.getUpload(id);
    // Whoever sends the last byte gets the item: if that failed after all bytes had arrived, the last one has to be sent again.
    if (upload.size !== undefined && upload.size > 0) upload.offset = Math.min(upload.offset, upload.size - 1);
    return upload;
  }

  override async write(...[source, id, offset]: Parameters<FileStore['write']>): Promise<number> {
    if ((await this.mediaOf(id)) !== null) return offset;
    try {
      return await super.write(source, id, offset);
    } catch (error) {
      // Meanwhile another request has completed it, or it was given up.
      const described = await this.describe(id);
      if (described === undefined) throw { status_code: 404, body: 'It was removed.' };
      if (described.media === undefined) throw error;
      return described.size ?? offset;
    }
  }

  override async remove(id: string): Promise<void> {
    const path = this.pathOf(id);
    await Promise.all([path, `${path}.json`].map((each) => rm(each, { force: true })));
  }
}
