import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { builtPath, renamed } from './build.ts';

const root = join(import.meta.dirname, '..');
/** Sources whose declarations are published. */
interface Published {
  /** Folder of the sources. */
  readonly source: string;
  readonly entries: readonly string[];
}

const ofServer: Published = { source: join(root, 'src'), entries: ['plugin.ts', 'plugin-test.ts'] };

/** Writes the type declarations of `palimpsest/plugin` and `palimpsest/plugin-test`, or of a package, beside the JavaScript. */
export function declare(target: string, { source, entries } = ofServer): void {
  const place = join(root, 'node_modules/.cache/declarations', basename(dirname(source)));
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

/** All files of a package, by its path from the root; without one, the entries of the server. */
export function publishedBy(path = ''): Published {
  const source = join(root, path, 'src');
  return path === '' ? ofServer : { source, entries: readdirSync(source) };
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

if (import.meta.main) {
  const [path = ''] = process.argv.slice(2);
  declare(join(root, path, 'dist'), publishedBy(path));
}
