import { join } from 'node:path';
import { openFolder, scratchFolder } from '#objects/folder.ts';
import { openObjects } from '#objects/open.ts';
import type { ObjectStore } from '#objects/port.ts';

export interface MediaPlace {
  readonly dataDir: string;
  /** Address of the store for uploaded files; null: a folder in the data directory. */
  readonly mediaUrl: string | null;
}

export function mediaFolder(dataDir: string): ObjectStore {
  return openFolder(join(dataDir, 'media'));
}

export async function openMedia({ dataDir, mediaUrl }: MediaPlace): Promise<ObjectStore> {
  return mediaUrl === null ? mediaFolder(dataDir) : openObjects(mediaUrl);
}

/** Folder for incoming files: inside a folder store, so that files only need to be renamed. */
export function scratchOf(store: ObjectStore, dataDir: string): string {
  return store.pathOf(scratchFolder) ?? join(dataDir, 'media', scratchFolder);
}
