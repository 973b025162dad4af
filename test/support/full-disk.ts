import { rmSync, symlinkSync } from 'node:fs';
import { onTestFinished } from 'vitest';

/** Makes writes of a small file that is replaced whole fail with ENOSPC. Returns a function that frees space. */
export function fullDiskFor(path: string): () => void {
  const draft = `${path}.new`;
  const makeRoom = () => rmSync(draft, { force: true });
  symlinkSync('/dev/full', draft);
  onTestFinished(makeRoom);
  return makeRoom;
}
