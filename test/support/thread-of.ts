import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryDirectory } from './temporary.ts';

/** A module that runs the given code in a thread. */
export function threadOf(code: string): URL {
  const file = join(temporaryDirectory(), 'thread.mjs');
  writeFileSync(file, `import { parentPort } from 'node:worker_threads';\n${code}`);
  return pathToFileURL(file);
}
