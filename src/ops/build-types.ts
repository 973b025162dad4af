import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { builtPath, renamed } from './build.ts';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'src');

/** Writes the type declarations of `palimpsest/plugin` and `palimpsest/plugin-test` beside the JavaScript. */
export function declare(target: string): void {
  const place = join(root, 'node_modules/.cache/plugin-types');
  const types = join(place, 'types');
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const emitted = { noEmit: false, incremental: false, declaration: true, emitDeclarationOnly: true };
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { ...emitted, tsBuildInfoFile: null, rootDir: source, outDir: types },
    files: ['plugin.ts', 'plugin-test.ts'].map((name) => join(source, name)),
    include: [],
  };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(config));
  execFileSync(process.execPath, [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', place], { stdio: 'inherit' });
  for (const entry of readdirSync(types, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = relative(types, join(entry.parentPath, entry.name));
    writeFileSync(builtPath(path, target), renamed(readFileSync(join(types, path), 'utf8'), path));
  }
}

if (import.meta.main) declare(join(root, 'dist'));
