import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * Caches compiled sources for the next start, which halves the time to load them. Must be called before they are loaded. If the folder is
 * not writable, they are compiled each time.
 */
export function cacheCompiledCode(): void {
  enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compiled'));
}
