import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/** Where compiled sources are cached for the next start, which halves the time to load them. If it is not writable, they are compiled each time. */
export const compiledCode = join(import.meta.dirname, '../../node_modules/.cache/compiled');

/** Must be called before the sources are loaded. */
export function cacheCompiledCode(): void {
  enableCompileCache(compiledCode);
}
