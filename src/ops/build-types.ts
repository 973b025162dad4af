import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtPath, renamed } from './build.ts';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'src');
const entries = ['plugin.ts', 'plugin-test.ts'];

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
    files: entries.map((name) => join(source, name)),
    include: [],
  };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(config));
  execFileSync(process.execPath, [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', place], { stdio: 'inherit' });
  const texts = new Map<string, string>();
  for (const entry of entries) collect(entry.replace('.ts', '.d.ts'), types, texts);
  for (const [path, text] of texts) writeFileSync(builtPath(path, target), renamed(text, path));
}

/** Declarations that an entry needs; the compiler writes those of everything that the entry loads. */
function collect(path: string, types: string, texts: Map<string, string>): void {
  if (texts.has(path)) return;
  const text = readFileSync(join(types, path), 'utf8');
  texts.set(path, text);
  for (const [, specifier = ''] of text.matchAll(/(?:from |import\()['"]([#.][^'"]+)\.ts['"]/g)) {
    const to = specifier.startsWith('#') ? specifier.slice(1) : join(dirname(path), specifier);
    collect(`${to}.d.ts`, types, texts);
  }
}

if (import.meta.main) declare(join(root, 'dist'));
