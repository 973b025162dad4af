import type { MenuItem } from './menu-item.ts';
import type { EntryPart } from './part.ts';
import type { Pattern } from './pattern.ts';
import type { Product } from './product.ts';

export type Part = Product | Pattern | MenuItem;

export function mergedPart(part: EntryPart, before: Part | null, change: object): Part {
  return part.of({ ...part.plain, ...before, ...change }) as Part;
}

export function changedMembers(part: EntryPart, before: Part | null, after: Part): object {
  const [old, now] = [Object.entries(before ?? part.plain), new Map(Object.entries(part.of(after)))];
  const different = old.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(now.get(name)));
  return Object.fromEntries(different.map(([name]) => [name, now.get(name)]));
}
