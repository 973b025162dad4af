import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** The rooms that each room imports. A room is a folder of `src`; a file such as `config.ts` belongs to the folder of its name. */
export type Imports = ReadonlyMap<string, readonly string[]>;

const source = new URL('../../', import.meta.url);
const statement = /^(?:import|export)\s(?:[^';]*?\sfrom\s)?'([^']+)'|\bimport\('([^']+)'\)/gm;

export function readImports(): Imports {
  const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const rooms = folders.map(({ name }) => name).sort();
  const found = new Map(rooms.map((room) => [room, new Set<string>()]));
  for (const path of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    const room = roomOf(path);
    if (!path.endsWith('.ts')) continue;
    for (const [, fixed, late] of readFileSync(new URL(path, source), 'utf8').matchAll(statement)) {
      const to = roomOf(targetOf(path, fixed ?? late ?? ''));
      if (to !== room && found.has(to)) found.get(room)?.add(to);
    }
  }
  return new Map(rooms.map((room) => [room, [...(found.get(room) ?? [])].sort()]));
}

function roomOf(path: string): string {
  return /^[\w-]+/.exec(path)?.[0] ?? '';
}

function targetOf(path: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : '';
}
