import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'src');
/** References to source files: in imports, and where threads and processes are started. */
const named = /(['"])(#|\.{1,2}\/)([^'"\n]+)\.(ts|json)\1/g;

/** Writes the sources into a folder as JavaScript, since Node does not strip types in installed packages. Line numbers are kept. */
export function build(target: string): void {
  for (const entry of readdirSync(source)) rmSync(join(target, asScript(entry)), { recursive: true, force: true });
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) write(relative(source, join(entry.parentPath, entry.name)), target);
  }
}

function write(path: string, target: string): void {
  const written = builtPath(asScript(path), target);
  if (!/\.[jt]s$/.test(path)) {
    copyFileSync(join(source, path), written);
    return;
  }
  const code = readFileSync(join(source, path), 'utf8');
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

if (import.meta.main) build(join(root, 'dist'));
