import { createHash } from 'node:crypto';
import type { MediaFile, PluginMediaFiles, PluginReader } from 'palimpsest/plugin';

/** Types of images that optimisers accept. */
const types: readonly string[] = ['image/jpeg', 'image/png', 'image/gif'];

export type FilesOf = (id: number) => PluginMediaFiles | undefined;

export function optimisableImage(id: number, filesOf: FilesOf): PluginMediaFiles | undefined {
  const media = filesOf(id);
  return media !== undefined && types.includes(media.type) ? media : undefined;
}

/** The digest by which optimisers identify a file. */
export function sourceDigest({ hash }: MediaFile): string {
  return createHash('md5').update(hash).digest('hex');
}

export function optimisableImages(model: PluginReader): readonly number[] {
  return model.mediaIds(types);
}
