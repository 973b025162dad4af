import { menuItem } from '#domain/entry/kinds.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import { linkParts } from '#site/addresses/interface.ts';
import type { ShownItem } from '#site/menus/items.ts';
import { methodsForEntry } from '#site/rights/entries.ts';
import { asciiJson, type JsonText } from '#text/json.ts';

import { actions, termRelations } from '../entries/relations.ts';
import type { EntryShowing } from '../entries/showing.ts';

export function menuItemLinksJson(row: EntryRow, item: ShownItem, { model, viewer, context }: EntryShowing): JsonText {
  const parts = linkParts(model.site());
  const { rest, prefix, curies } = parts;
  const collection = `${rest}/${menuItem.base}`;
  const self = `"href":"${collection}/${row.id}"`;
  const allow = JSON.stringify(methodsForEntry(viewer, row));
  const links = [
    `"self":[{${self},"targetHints":{"allow":${allow}}}]`,
    `"collection":[{"href":"${collection}"}]`,
    `"about":[{"href":"${rest}/types/${menuItem.name}"}]`,
    ...termRelations(row.id, menuItem, parts),
    ...target(item, `"${prefix}:menu-item-object"`, rest),
    ...(context === 'edit' ? actions(menuItem, viewer).map((act) => `"${prefix}:action-${act}":[{${self}}]`) : []),
    curies,
  ];
  return `{${links.join()}}`;
}

function target({ type, object, objectId, base }: ShownItem, relation: string, rest: string): string[] {
  if (base === null) return [];
  return [`${relation}:[{"${type}":${asciiJson(object)},"embeddable":true,"href":"${rest}/${base}/${objectId}"}]`];
}
