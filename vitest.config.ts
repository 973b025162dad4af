import { existsSync, globSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { compiledCode } from './src/process/compile-cache.ts';
import { patience } from './test/support/patience.ts';
import { slowness } from './test/support/slowness.ts';

/** Folder for machine-readable results; `.ci/run` counts them. */
const reports = process.env['REPORTS'];
const factor = process.env['PROPERTIES_FACTOR'];
const tests = '{test,packages/*/test}';
const long = `${tests}/**/*.long.test.ts`;
const all = `${tests}/**/*.test.ts`;
const everything = factor ? all : process.env['LONG'] === undefined ? `${tests}/**/!(*.long).test.ts` : long;
/** Files that replace modules, or what these are made with. They need a process of their own; the others share one, which imports the sources once. */
const alone = globSync(everything).filter((file) => /vi\.(mock|doMock|hoisted)\(/.test(readFileSync(file, 'utf8')));

// Most tests keep a site in a temporary folder: in memory, they do not wait for a disk.
if (process.env['TMPDIR'] === undefined && hasRoom('/dev/shm')) process.env['TMPDIR'] = '/dev/shm';

// Processes and threads that tests start load the sources from it.
process.env['NODE_COMPILE_CACHE'] ??= compiledCode;

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > 4 * 2 ** 30;
}

// biome-ignore lint/style/noDefaultExport: the test runner takes nothing else
export default defineConfig({
  resolve: {
    alias: {
      'palimpsest/plugin': new URL('src/plugin.ts', import.meta.url).pathname,
      'fast-check': new URL('test/properties/fast-check.ts', import.meta.url).pathname,
    },
  },
  test: {
    setupFiles: ['test/properties/limit.ts'],
    pool: 'forks',
    // Tests wait for processes, disks and timers a third of the time.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    testTimeout: 180_000 * slowness,
    hookTimeout: 180_000 * slowness,
    expect: { poll: { timeout: patience } },
    reporters: reports ? ['default', ['json', { outputFile: `${reports}/unit.json` }]] : ['default'],
    projects: [
      { extends: true, test: { name: 'shared', include: [everything], exclude: alone, isolate: false } },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
});
