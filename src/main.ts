import { cacheCompiledCode } from './process/compile-cache.ts';
import { limitServerHeap } from './process/heap-limits.ts';

process.umask(0o077);
cacheCompiledCode();
limitServerHeap();
const { default: closeWithGrace } = await import('close-with-grace');
const { exitStatus, explain } = await import('./ops/explain.ts');
// A single line: operators need to know what to change, not a stack trace.
const say = (error: unknown) => process.stderr.write(`palimpsest: ${explain(error)}\n`);
const fail = (error: unknown) => {
  say(error);
  process.exit(exitStatus(error));
};
// The modules imported below depend on plugins, which may be unusable.
if (process.env['PLUGINS']) await import('./plugin/loaded.ts').catch(fail);
const { serve } = await import('#ops/serve.ts');
const server = await serve(process.env).catch(fail);

// A handler of these would return to the instruction that failed, for ever.
closeWithGrace(
  { delay: server.longestStop, skip: ['SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGSEGV'] },
  async ({ err }) => {
    if (err) server.logger.fatal(err, 'unexpected error');
    await server.close();
  },
);
// Rethrown, so that the server closes as after any error, with exit code 1.
server.failed.catch((error: unknown) => {
  say(error);
  throw error;
});
