import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** A source file as text. */
export interface Source {
  /** Path from the project's root, such as `src/domain/events.ts`. */
  readonly path: string;
  readonly text: string;
  /** The text without comments. */
  readonly code: string;
}

/** An import: `to` is a path from the project's root, or the name of a package. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

const root = new URL('../../', import.meta.url);
const aside = ['node_modules', '.git', 'data', 'coverage', '.data', 'dist'];
/** What the subpath imports of `package.json` begin with, and where they lead; the first that fits counts. */
const aliases = Object.entries<string>(JSON.parse(textOf('package.json')).imports).map(
  ([name, place]) => [name.replace('*', ''), posix.normalize(place.replace('*', ''))] as const,
);
const statement =
  /^\s*(?:import|export)\s+(?:type\s+)?(?:[\w$*{}\s,]*?\sfrom\s*)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;

/** Files below a folder of the project, as paths from its root. */
export function filesBelow(folder: string): string[] {
  return readdirSync(new URL(folder, root), { withFileTypes: true }).flatMap((entry) => {
    if (aside.includes(entry.name)) return [];
    const path = posix.join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(`${path}/`) : [path];
  });
}

export function textOf(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

/** TypeScript below a folder. */
export function sources(folder: string): Source[] {
  return filesBelow(folder)
    .filter((path) => path.endsWith('.ts'))
    .map((path) => {
      const text = textOf(path);
      return { path, text, code: withoutComments(text) };
    });
}

/** TypeScript of the server, its plugins, the packages beside it and the tools of developers, without tests. */
export function allSources(): Source[] {
  const ofPackages = sources('packages/').filter(({ path }) => /^packages\/[\w-]+\/src\//.test(path));
  return [...sources('src/'), ...sources('plugins/'), ...ofPackages, ...sources('tools/')];
}

export function importsOf({ path, code }: Source): Import[] {
  return [...code.matchAll(statement)].map(([, fixed, late]) => ({
    from: path,
    to: target(path, fixed ?? late ?? ''),
  }));
}

function target(path: string, specifier: string): string {
  const alias = aliases.find(([start]) => specifier.startsWith(start));
  if (alias !== undefined) return `${alias[1]}${specifier.slice(alias[0].length)}`;
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
}

// Sufficient for this code: no string contains both a comment mark and its own kind of quotation mark.
function withoutComments(text: string): string {
  return text.replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\/\*[\s\S]*?\*\/|(?<![:\\/])\/\/.*$/gm, (part) =>
    part.startsWith('/') ? '' : part,
  );
}
