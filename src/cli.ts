import { limitHeapGrowth } from './process/heap-limits.ts';

if (process.argv[2] === 'start') await import('./main.ts');
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
