import { describe, expect, it } from 'vitest';
import { layOut, readImports } from '../../tools/rooms/layout.ts';
import { roomsPicture } from '../../tools/rooms/picture.ts';
import { importsOf, sources } from '../architecture/sources.ts';

const imports = readImports();
const layout = layOut(imports);

function roomOf(path: string): string {
  return /^src\/([\w-]+)/.exec(path)?.[1] ?? '';
}

describe('the picture of the rooms', () => {
  it('has all imports between the folders of src, and no others', () => {
    const all = sources('src/').flatMap(importsOf);
    const pairs = all.map(({ from, to }) => [roomOf(from), roomOf(to)] as const);
    const between = pairs.filter(([from, to]) => from !== to && imports.has(from) && imports.has(to));
    const expected = new Set(between.map(([from, to]) => `${from} -> ${to}`));
    const shown = [...layout.arrows, ...layout.shortcuts].map(({ from, to }) => `${from} -> ${to}`);
    expect(shown.sort()).toEqual([...expected].sort());
    expect(shown.length).toBeGreaterThan(40);
  });

  it('puts each folder above those that it imports, and beside others without touching them', () => {
    const rooms = layout.places.filter(({ room }) => room !== null);
    const floorOf = (name: string) => rooms.find(({ room }) => room === name)?.floor ?? Number.NaN;
    for (const [room, list] of imports) for (const to of list) expect(floorOf(room)).toBeGreaterThan(floorOf(to));
    for (const floor of Map.groupBy(rooms, (place) => place.floor).values()) {
      const across = floor.map(({ x }) => x).sort((a, b) => a - b);
      for (const [i, x] of across.slice(1).entries()) expect(x - (across[i] ?? 0)).toBeGreaterThan(0.199);
    }
  });

  it('is the same whenever it is drawn, has no script, and says what each folder is for', () => {
    const picture = roomsPicture(imports);
    expect(roomsPicture(readImports())).toBe(picture);
    expect(picture).not.toMatch(/<script|\son\w+=|href/);
    expect(picture).toContain('prefers-color-scheme: dark');
    expect(picture.match(/<rect class="room"/g)).toHaveLength(imports.size);
    expect(picture).not.toContain('></text>');
  });
});
