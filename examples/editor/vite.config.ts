import { defineConfig } from 'vite';

/** Serves the page, and passes requests on to the store, so that for a browser both have one origin. */
const store = process.env['STORE'] ?? 'http://localhost:8080';
const server = {
  port: Number(process.env['PORT'] ?? 8090),
  strictPort: true,
  proxy: { '^/(cms-json|uploads)/': { target: store } },
};

// biome-ignore lint/style/noDefaultExport: vite takes nothing else
export default defineConfig({
  define: {
    'globalThis.IS_GUTENBERG_PLUGIN': 'false',
    'globalThis.IS_WORDPRESS_CORE': 'false',
    'globalThis.SCRIPT_DEBUG': 'false',
  },
  build: { chunkSizeWarningLimit: 10_000 },
  server,
  preview: server,
});
