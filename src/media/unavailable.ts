/** Thrown while the disk does not accept files; this may be temporary. */
export class FilesUnavailable extends Error {
  override readonly name = 'FilesUnavailable';
}

/** No space, quota exceeded, I/O error, read-only, file too large, too many open files, no rights, folder missing or no folder. */
const codes = new Set([
  ...['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EFBIG', 'EMFILE', 'ENFILE'],
  ...['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'],
]);

/** Awaits file operations; converts errors of the disk to `FilesUnavailable`. */
export async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && codes.has(String(error.code)))) throw error;
    throw new FilesUnavailable(`An uploaded file cannot be kept: ${error.message}`, { cause: error });
  }
}
