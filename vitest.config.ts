import { defineConfig } from 'vitest/config';

/** Folder for machine-readable results; `.ci/run` counts them. */
const reports = process.env['REPORTS'];

// biome-ignore lint/style/noDefaultExport: the test runner takes nothing else
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: [
      'test/properties/limit.ts',
      ...(process.env['PROPERTIES_FACTOR'] ? ['test/properties/multiply.ts'] : []),
    ],
    pool: 'forks',
    maxWorkers: '100%',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: reports ? ['default', ['json', { outputFile: `${reports}/unit.json` }]] : ['default'],
  },
});
