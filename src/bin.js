#!/usr/bin/env node
// Plain JavaScript without static imports: an old Node has to come as far as the sentence that says so.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 12)) {
  process.stderr.write(
    `palimpsest: needs Node 24.12 or newer; this is Node ${process.versions.node}. \`npm install node@24\` puts one beside it, ` +
      'which npx and npm scripts then use.\n',
  );
  process.exit(1);
}
// The folder of process/compile-cache.ts. Before TypeScript is loaded: what removes the types is then only loaded if a source has changed.
const { enableCompileCache } = await import('node:module');
enableCompileCache(`${import.meta.dirname}/../node_modules/.cache/compiled`);
await import('./cli.ts');
