import type { FileHandle } from 'node:fs/promises';

/** The bytes of a file from a place on: `length` of them, or fewer at its end. */
export async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}
