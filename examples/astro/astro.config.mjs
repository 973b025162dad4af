import node from '@astrojs/node';
import { defineConfig } from 'astro/config';

// biome-ignore lint/style/noDefaultExport: astro takes nothing else
export default defineConfig({
  output: 'server',
  // A page that fails midway is answered with 500, and not with its first half.
  adapter: node({ mode: 'standalone', experimentalDisableStreaming: true }),
  server: { port: Number(process.env.PORT ?? 4321) },
});
