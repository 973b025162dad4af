import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';

const root = join(import.meta.dirname, '..');
/** Folders of sources, by their place in the result. */
export type SourceFolders = Readonly<Record<string, string>>;
const ofServer: SourceFolders = {
  '': join(root, 'src'),
  plugins: join(root, 'plugins'),
  blocks: join(root, 'packages/blocks/src'),
  client: join(root, 'packages/client/src'),
  tlog: join(root, 'packages/tlog/src'),
  wxr: join(root, 'packages/wxr/src'),
};
/** References to source files: in imports, and where threads and processes are started. */
const named = /(['"])(#|\.{1,2}\/)([^'"\n]+)\.(ts|json)\1/g;

/** Writes the sources into a folder as JavaScript, since Node does not strip types in installed packages. Line numbers are kept. */
export function build(target: string, sources = ofServer): void {
  for (const [place, source] of Object.entries(sources)) {
    for (const entry of readdirSync(source))
      rmSync(join(target, place, asScript(entry)), { recursive: true, force: true });
    for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      if (entry.isFile()) write(file, join(place, relative(source, file)), target);
    }
  }
}

function write(file: string, path: string, target: string): void {
  const written = builtPath(asScript(path), target);
  if (!/\.[jt]s$/.test(path)) {
    copyFileSync(file, written);
    return;
  }
  const code = readFileSync(file, 'utf8');
  const script = path.endsWith('.ts') ? stripTypeScriptTypes(code) : code;
  writeFileSync(written, renamed(script, path), { mode: path === 'bin.js' ? 0o755 : 0o644 });
}

export function builtPath(path: string, target: string): string {
  const place = join(target, path);
  mkdirSync(dirname(place), { recursive: true });
  return place;
}

export function renamed(code: string, path: string): string {
  const folder = posix.dirname(path.split(sep).join(posix.sep));
  return code.replace(named, (_, quote: string, kind: string, name: string, type: string) => {
    const found = kind === '#' ? beside(posix.relative(folder, name)) : kind + name;
    return `${quote}${found}.${type === 'ts' ? 'js' : type}${quote}`;
  });
}

function asScript(path: string): string {
  return path.replace(/\.ts$/, '.js');
}

function beside(path: string): string {
  return path.startsWith('.') ? path : `./${path}`;
}

/** The source of a file of the result. */
export function sourceFile(path: string, sources: SourceFolders): string {
  const place = Object.keys(sources).find((name) => name !== '' && path.startsWith(`${name}/`)) ?? '';
  return join(sources[place] ?? '', posix.relative(place, path));
}

/** The sources of a package, by its path from the root; without one, those of the server. */
export function sourcesOf(path = ''): SourceFolders {
  return path === '' ? ofServer : { '': join(root, path, 'src') };
}

if (import.meta.main) {
  const [path = ''] = process.argv.slice(2);
  build(join(root, path, 'dist'), sourcesOf(path));
}
