import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { builtPath, renamed, type SourceFolders, sourceFile, sourcesOf } from './build.ts';

const root = join(import.meta.dirname, '..');
/** Sources whose declarations are published. */
interface Published {
  readonly sources: SourceFolders;
  readonly entries: readonly string[];
}

const ofServer: Published = { sources: sourcesOf(), entries: ['plugin.ts', 'plugin-test.ts', 'client/index.ts'] };
/** The types of `palimpsest/client`: those of the client, and of the interface, which `npm run types` writes. */
const ofClient = `export * from './client/index.js';\nexport type * from './types/cms.js';\n`;

/** Writes the type declarations of the public entries, or of a package, beside the JavaScript. */
export function declare(target: string, published = ofServer): void {
  const { sources, entries } = published;
  const place = join(root, 'node_modules/.cache/declarations', basename(dirname(sourceFile('', sources))));
  const types = join(place, 'types');
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const emitted = { noEmit: false, incremental: false, declaration: true, emitDeclarationOnly: true };
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { ...emitted, tsBuildInfoFile: null, rootDir: root, outDir: types },
    files: entries.map((name) => sourceFile(name, sources)),
    include: [],
  };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(config));
  execFileSync(process.execPath, [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', place], { stdio: 'inherit' });
  const texts = new Map<string, string>();
  const read = (path: string) => readFileSync(join(types, relative(root, sourceFile(path, sources))), 'utf8');
  for (const entry of entries) collect(entry.replace('.ts', '.d.ts'), read, texts);
  if (published === ofServer) texts.set('client.d.ts', ofClient);
  for (const [path, text] of texts) writeFileSync(builtPath(path, target), renamed(text, path));
}

/** All files of a package, by its path from the root; without one, the entries of the server. */
export function publishedBy(path = ''): Published {
  if (path === '') return ofServer;
  const all = readdirSync(join(root, path, 'src'), { recursive: true, encoding: 'utf8' });
  return { sources: sourcesOf(path), entries: all.filter((name) => name.endsWith('.ts')) };
}

/** Declarations that an entry needs; the compiler writes those of everything that the entry loads. */
function collect(path: string, read: (path: string) => string, texts: Map<string, string>): void {
  if (texts.has(path)) return;
  const text = read(path);
  texts.set(path, text);
  for (const [, specifier = ''] of text.matchAll(/(?:from |import\()['"]([#.][^'"]+)\.ts['"]/g)) {
    const to = specifier.startsWith('#') ? specifier.slice(1) : join(dirname(path), specifier);
    collect(`${to}.d.ts`, read, texts);
  }
}

if (import.meta.main) {
  const [path = ''] = process.argv.slice(2);
  declare(join(root, path, 'dist'), publishedBy(path));
}
