import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

export interface ArchivedFile {
  /** Path with slashes. */
  readonly name: string;
  readonly text: string;
}

/** The earliest date in the format, in the zone of the machine as the format has it: the same files always give the same bytes. */
const mtime = new Date(1980, 0, 1);

export function zipOf(files: readonly ArchivedFile[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { name, text } of files) zip.addBuffer(Buffer.from(text), name, { mtime, forceDosTimestamp: true });
  zip.end();
  return buffer(zip.outputStream);
}
