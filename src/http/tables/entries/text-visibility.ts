import { type EntryKind, menuItem, navigation, pattern } from '#domain/entry/kinds.ts';
import { editing, everywhere, whole } from '../../engine/property.ts';
import type { Context } from '../../engine/types.ts';

type Contexts = readonly Context[];

export interface Exposure {
  readonly status: Contexts;
  readonly content: Contexts;
  readonly raw: Contexts;
  readonly rendered: Contexts;
  readonly blockVersion: Contexts;
}

const usual: Exposure = { status: whole, content: whole, raw: editing, rendered: everywhere, blockVersion: editing };

const written: Contexts = ['edit', 'embed'];

const exposures: Readonly<Record<string, Exposure>> = {
  [pattern.name]: { ...usual, raw: whole, rendered: [] },
  // Autosaves of menu items have only a title, because the rest is not text.
  [menuItem.name]: { ...usual, content: [] },
  [navigation.name]: { ...usual, status: everywhere, content: everywhere, raw: written, blockVersion: written },
};

export function textVisibilityOf({ name }: EntryKind): Exposure {
  return exposures[name] ?? usual;
}
