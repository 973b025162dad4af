import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { home } from './data.ts';

/** A directory for one measurement. It goes with `remove`, at the latest with this process. */
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
