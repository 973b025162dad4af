import { cacheCompiledCode } from './process/compile-cache.ts';
import { limitHeapGrowth } from './process/heap-limits.ts';

cacheCompiledCode();
limitHeapGrowth();
await import('./ops/command.ts');
