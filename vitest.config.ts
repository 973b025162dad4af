import { defineConfig } from 'vitest/config';

/** Folder for machine-readable results; `.ci/run` counts them. */
const reports = process.env['REPORTS'];
const factor = process.env['PROPERTIES_FACTOR'];
const everything = 'test/**/*.test.ts';
/** Tests of plain functions, which leave nothing behind: one process takes many of them, and imports once. */
const plain = ['domain', 'http/engine', 'http/oembed', 'media', 'outgoing', 'text'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);

// biome-ignore lint/style/noDefaultExport: the test runner takes nothing else
export default defineConfig({
  test: {
    setupFiles: ['test/properties/limit.ts', ...(factor ? ['test/properties/multiply.ts'] : [])],
    pool: 'forks',
    maxWorkers: '100%',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: reports ? ['default', ['json', { outputFile: `${reports}/unit.json` }]] : ['default'],
    projects: [
      { extends: true, test: { name: 'plain', include: plain, isolate: Boolean(factor) } },
      { extends: true, test: { name: 'whole', include: [everything], exclude: plain } },
    ],
  },
});
