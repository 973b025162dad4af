export { openFolderSource } from './folder.ts';
export type { FolderMapping } from './folder-mapping.ts';
export { openLiveSite } from './live.ts';
export * from './records.ts';
export { mapReferences, type ReferenceMap } from './references.ts';
export { type FolderTarget, type WrittenFolder, writeFolderSite } from './write-folder.ts';
export { type WxrPart, type WxrTarget, type WxrWritten, writeWxr } from './write-wxr.ts';
export { openWxr } from './wxr.ts';
