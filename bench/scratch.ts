import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { home } from './data.ts';

/** Creates a directory for one measurement. `remove` deletes it, at the latest when this process exits. */
export function scratch(name: string): { readonly directory: string; remove(): void } {
  const directory = join(home, `${name}-${process.pid}`);
  mkdirSync(directory, { recursive: true });
  const remove = () => {
    process.off('exit', remove);
    rmSync(directory, { recursive: true, force: true });
  };
  process.on('exit', remove);
  return { directory, remove };
}

/** The same with a copy of a data directory. */
export function scratchCopy(name: string, from: string): { readonly directory: string; remove(): void } {
  const made = scratch(name);
  cpSync(from, made.directory, { recursive: true });
  return made;
}
