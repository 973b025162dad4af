/** The disk does not take files now; it may later. */
export class FilesUnavailable extends Error {
  override readonly name = 'FilesUnavailable';
}

/** No space, over quota, failing, read-only, too large for the file system, too many open files. */
const codes = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EFBIG', 'EMFILE', 'ENFILE']);

/** Awaits work on files; what the disk refuses is thrown as `FilesUnavailable`. */
export async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && codes.has(String(error.code)))) throw error;
    throw new FilesUnavailable(`An uploaded file cannot be kept: ${error.message}`, { cause: error });
  }
}
