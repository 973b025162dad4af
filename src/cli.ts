import { limitHeapGrowth } from './process/heap-limits.ts';

// With anything behind it, it is help or a mistake.
if (process.argv[2] === 'start' && process.argv.length === 3) await import('./main.ts');
else {
  limitHeapGrowth();
  if (process.env['PLUGINS']) {
    await import('./plugin/loaded.ts').catch((error: Error) => {
      process.stderr.write(`${error.message}\n`);
      process.exit(2);
    });
  }
  await import('#ops/command.ts');
}
