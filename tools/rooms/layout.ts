import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** A room, or the place where an arrow crosses a floor. */
export interface RoomPlace {
  /** Null: only an arrow. */
  readonly room: string | null;
  readonly floor: number;
  /** Centre, from 0 to 1. */
  x: number;
}

export interface Arrow {
  readonly from: string;
  readonly to: string;
  /** From the importing room down to the imported one. */
  readonly way: readonly RoomPlace[];
}

export interface Layout {
  /** Number of floors. */
  readonly floors: number;
  readonly places: readonly RoomPlace[];
  /** Imports without which one room would not stand above the other. */
  readonly arrows: readonly Arrow[];
  /** All other imports, which lead to a room that can be reached by arrows as well. */
  readonly shortcuts: readonly Arrow[];
}

/** The rooms that each room imports. A room is a folder of `src`; a file such as `config.ts` belongs to the folder of its name. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** Shares of the width that a room and an arrow need. */
const widths = { room: 0.215, arrow: 0.05 };
const sweeps = 24;
const source = new URL('../../src/', import.meta.url);
const statement = /^(?:import|export)\s(?:[^';]*?\sfrom\s)?'([^']+)'|\bimport\('([^']+)'\)/gm;

export function layOut(imports: Imports): Layout {
  const floors = floorsOf(imports);
  const rooms = new Map([...imports.keys()].map((room) => [room, placeOn(floors.get(room) ?? 0, room)]));
  const at = (room: string): RoomPlace => rooms.get(room) ?? placeOn(0, room);
  const all = [...imports].flatMap(([from, list]) => list.map((to) => ({ from, to })));
  const isNeeded = ({ from, to }: { from: string; to: string }) =>
    !(imports.get(from) ?? []).some((other) => other !== to && reaches(imports, other, to));
  const arrows = all.filter(isNeeded).map(({ from, to }) => ({ from, to, way: wayBetween(at(from), at(to)) }));
  const shortcuts = all.filter((one) => !isNeeded(one)).map(({ from, to }) => ({ from, to, way: [at(from), at(to)] }));
  const places = [...new Set([...rooms.values(), ...arrows.flatMap(({ way }) => way)])];
  arrange(places, arrows);
  return { floors: Math.max(...floors.values()) + 1, places, arrows, shortcuts };
}

/** The floor of each room: 0 without imports, else above all that it imports. */
function floorsOf(imports: Imports): ReadonlyMap<string, number> {
  const floors = new Map<string, number>();
  const floorOf = (room: string): number => {
    const known = floors.get(room);
    if (known !== undefined) return known;
    const floor = 1 + Math.max(-1, ...(imports.get(room) ?? []).map(floorOf));
    floors.set(room, floor);
    return floor;
  };
  for (const room of imports.keys()) floorOf(room);
  return floors;
}

function reaches(imports: Imports, from: string, to: string): boolean {
  return from === to || (imports.get(from) ?? []).some((next) => reaches(imports, next, to));
}

function placeOn(floor: number, room: string | null): RoomPlace {
  return { room, floor, x: 0.5 };
}

function wayBetween(from: RoomPlace, to: RoomPlace): readonly RoomPlace[] {
  const between = Array.from({ length: from.floor - to.floor - 1 }, (_, i) => placeOn(from.floor - 1 - i, null));
  return [from, ...between, to];
}

/** Moves each place towards those that it is joined with, so that arrows are short and seldom cross. */
function arrange(places: readonly RoomPlace[], arrows: readonly Arrow[]): void {
  const joined = new Map(places.map((place) => [place, { above: [] as RoomPlace[], below: [] as RoomPlace[] }]));
  for (const { way } of arrows) {
    for (const [i, place] of way.entries()) {
      const next = way[i + 1];
      if (next === undefined) continue;
      joined.get(place)?.below.push(next);
      joined.get(next)?.above.push(place);
    }
  }
  const floors = [...Map.groupBy(places, ({ floor }) => floor)].sort(([a], [b]) => b - a).map(([, list]) => list);
  for (const floor of floors) spread(floor, (place) => floor.indexOf(place) / floor.length);
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const side = sweep % 2 === 0 ? 'above' : 'below';
    for (const floor of side === 'above' ? floors : floors.toReversed()) {
      spread(floor, (place) => mean(joined.get(place)?.[side] ?? []) ?? place.x);
    }
  }
  stretch(places);
}

/** Uses the whole width. */
function stretch(places: readonly RoomPlace[]): void {
  const left = Math.min(...places.map((place) => place.x - halfOf(place)));
  const right = Math.max(...places.map((place) => place.x + halfOf(place)));
  for (const place of places) place.x = (place.x - left) / (right - left);
}

function mean(places: readonly RoomPlace[]): number | undefined {
  return places.length === 0 ? undefined : places.reduce((sum, { x }) => sum + x, 0) / places.length;
}

/** Puts the places of a floor side by side in the order of where they would like to be, and as near to that as there is room. */
function spread(floor: readonly RoomPlace[], wished: (place: RoomPlace) => number): void {
  const wishes = floor.map((place) => ({ place, x: wished(place) })).sort((a, b) => a.x - b.x);
  let left = 0;
  for (const { place, x } of wishes) {
    const half = halfOf(place);
    place.x = Math.max(left + half, Math.min(1 - half, x));
    left = place.x + half;
  }
  let right = 1;
  for (const { place } of wishes.toReversed()) {
    const half = halfOf(place);
    place.x = Math.min(right - half, place.x);
    right = place.x - half;
  }
}

function halfOf({ room }: RoomPlace): number {
  return (room === null ? widths.arrow : widths.room) / 2;
}

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
