/**
 * Evaluates a module in a thread. V8 aborts the process when a thread is ended while it evaluates a module whose import had to wait for
 * another with top-level `await`. Plugins are such imports: once they are loaded, nothing that imports them waits, so a thread may be ended
 * at any time.
 */
const [, , module = ''] = process.argv;

await import('#plugin/loaded.ts');
await import(module);
