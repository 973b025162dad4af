import { archiveTitle } from '#domain/entry/content-type.ts';
import * as decide from '#domain/entry/decide.ts';
import { entryKinds, menuItem, page as pageKind, partOf } from '#domain/entry/kinds.ts';
import { menuItemPart } from '#domain/entry/menu-item.ts';
import {
  type MenuItemFacts,
  type MenuItemFields,
  newMenuItem,
  planMenuItem,
  type ShownMenuItem,
} from '#domain/entry/menu-items.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { mediaType } from '#domain/media/types.ts';
import { entries } from '#projections/entries/definition.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import { createEntry, deleteEntry, factsFor as entryFacts, saveEntry, stageEntry } from './entries.ts';
import type { Session } from './session.ts';

/** Commands on menu items: gather the facts, decide which fields to save in the item's entry, save them. */

const initial = { status: 'publish', menuOrder: 1 } as const;

/** Creates a menu item. Returns its id. */
export function createMenuItem(session: Session, fields: MenuItemFields): number | Refusal {
  const planned = planMenuItem(newMenuItem, { ...initial, ...fields }, factsFor(session));
  return isRefusal(planned) ? planned : createEntry(session, menuItem, planned);
}

/** `shown`: the item as shown now. */
export function saveMenuItem(
  session: Session,
  { id, shown }: { readonly id: number; readonly shown: ShownMenuItem },
  fields: MenuItemFields,
): Refusal | null {
  const planned = planMenuItem(shown, fields, factsFor(session));
  return isRefusal(planned) ? planned : saveEntry(session, id, planned);
}

/** Deletes menu items permanently, pausing after each. Items below a deleted one are kept. */
export function* deleteMenuItems(session: Session, ids: readonly number[]): Generator<void> {
  for (const id of ids) {
    if (session.entry(id) !== undefined) deleteEntry(session, id);
    yield;
  }
}

/** Adds a page to the end of a menu, unless it is a child page or already in the menu. Needs no rights beyond publishing the page. */
export function addPage(session: Session, page: number, menu: number): void {
  if (session.entry(page)?.parent !== 0) return;
  const items = session
    .of(entries)
    .itemsIn(menu)
    .flatMap((id) => session.entry(id) ?? []);
  if (items.some((row) => leadsTo(row, page))) return;
  const menuOrder = 1 + Math.max(0, ...items.map((row) => row.menuOrder));
  const fields = { ...initial, type: 'post_type', object: pageKind.name, objectId: page, menu, menuOrder } as const;
  const planned = planMenuItem(newMenuItem, fields, factsFor(session));
  if (isRefusal(planned)) return;
  const facts = { ...entryFacts(session, menuItem, 0), mayPublish: true };
  stageEntry(session, facts.nextId, decide.createEntry(menuItem, planned, facts));
}

function leadsTo(row: EntryRow, page: number): boolean {
  const item = partOf(menuItemPart, row);
  return item?.type === 'post_type' && item.objectId === page;
}

const types = [...entryKinds.map(({ name, type }) => ({ slug: name, ...type })), mediaType];

function factsFor(session: Session): MenuItemFacts {
  return {
    target(type, id) {
      const item = type === 'post_type' ? (session.entry(id) ?? session.media(id)) : undefined;
      if (item !== undefined) return { object: 'kind' in item ? item.kind : mediaType.slug, title: item.title };
      const term = type === 'taxonomy' ? session.term(id) : undefined;
      return term === undefined ? null : { object: term.taxonomy, title: term.name };
    },
    archive(type) {
      const found = types.find(({ slug }) => slug === type);
      return found === undefined ? null : archiveTitle(found);
    },
    menuExists: (id) => session.term(id)?.taxonomy === 'nav_menu',
  };
}
