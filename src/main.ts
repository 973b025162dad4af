import { cacheCompiledCode } from './process/compile-cache.ts';
import { limitServerHeap } from './process/heap-limits.ts';

process.umask(0o077);
cacheCompiledCode();
limitServerHeap();
const { default: closeWithGrace } = await import('close-with-grace');
const { serve } = await import('./ops/serve.ts');
const server = await serve(process.env).catch((error: unknown) => {
  // One clear line; whoever starts a server wants to know what to change, not where in the program it was noticed.
  process.stderr.write(`palimpsest: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

closeWithGrace({ delay: 10_000 }, async ({ err }) => {
  if (err) server.logger.fatal(err, 'unexpected error');
  await server.close();
});
