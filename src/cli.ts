import { cacheCompiledCode } from './process/compile-cache.ts';
import { limitHeapGrowth } from './process/heap-limits.ts';

if (process.argv[2] === 'start') await import('./main.ts');
else {
  cacheCompiledCode();
  limitHeapGrowth();
  await import('./ops/command.ts');
}
