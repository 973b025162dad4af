import { z } from 'zod';
import { typography } from '#blocks/typography.ts';
import { webAddress } from '#blocks/web-address.ts';
import { termsIn } from '#domain/entry/classification.ts';
import { menuItem } from '#domain/entry/kinds.ts';
import { type MenuItem, menuItemTypes } from '#domain/entry/menu-item.ts';
import type { MenuItemFields } from '#domain/entry/menu-items.ts';
import { has } from '#domain/entry/rights.ts';
import { writableStatuses } from '#domain/entry/vocabulary.ts';
import { plainLine } from '#domain/term/text.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { linkParts } from '#site/addresses/interface.ts';
import { isPublicMenuItem, type ShownItem, shownItem } from '#site/menus.ts';
import { methodsForEntry } from '#site/rights.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { isRecord, isScalar } from '#text/shapes.ts';
import { fault, wrongType } from '../../engine/faults.ts';
import type { Call, Fault } from '../../engine/types.ts';
import { named, only, text as sentText } from '../entries/body.ts';
import { actions, type EntryShowing, termRelations } from '../entries/showing.ts';
import { defineFields, type Field, type FieldRecord, fieldConstructors, recordSchema } from '../records/field.ts';
import { address, editing, everywhere, raw, rendered, whole } from '../records/property.ts';

export interface ShowingItem {
  readonly showing: EntryShowing;
  readonly item: ShownItem;
}

export interface MenuItemTypes {
  readonly kind: { readonly inMenu: boolean };
  readonly row: EntryRow;
  readonly showing: ShowingItem;
  readonly model: Model;
  readonly input: MenuItemFields;
}
type MenuItemField = Field<MenuItemTypes>;

const shown = { context: everywhere } as const;
const names = () => z.array(z.string());

const { bool, field, int, text } = fieldConstructors<MenuItemTypes>();

/** Every field of menu items, in the order in which records have them. */
const fields: readonly MenuItemField[] = [
  int('id', everywhere, 'Unique identifier for the nav menu item.', { readonly: true }),
  field('title', everywhere, 'The title for the nav menu item.', {
    schema: () =>
      z
        .object({ raw: raw('Title for the nav menu item', editing), rendered: rendered('HTML title', everywhere) })
        .partial(),
    json: titleJson,
    arg: () => ({ check: checkTitle }),
    write: ({ sent }) => only('title', sentText(sent('title'), true)),
  }),
  field('status', everywhere, 'A named status for the nav menu item.', {
    schema: () => z.enum(writableStatuses),
    json: (row) => `"${row.status}"`,
    write: sent('status', (status) => (status === 'publish' ? 'publish' : 'draft')),
  }),
  text('url', everywhere, 'The URL to which this menu item points.', {
    schema: address,
    read: (_, { item }) => item.url,
    arg: () => ({ check: checkUrl }),
    write: sent('url', (url) => webAddress(String(url))),
  }),
  text('attr_title', everywhere, 'Text for the title attribute of the link element for this menu item.', {
    read: (row, { showing }) => typography(textsOf(row, showing).excerpt),
    write: sent('tip', plainLine, 'attr_title'),
  }),
  text('description', everywhere, 'The description of this menu item.', {
    read: (row, { showing }) => typography(textsOf(row, showing).content),
    write: sent('description', plainLine),
  }),
  field('type', everywhere, 'The family of objects originally represented, such as "post_type" or "taxonomy".', {
    schema: () => z.enum(menuItemTypes),
    json: (_, { item }) => `"${item.type}"`,
    write: named<MenuItemFields>('type'),
  }),
  text('type_label', everywhere, 'The singular label used to describe this type of menu item.', {
    readonly: true,
    read: (_, { item }) => item.typeLabel,
  }),
  text(
    'object',
    everywhere,
    'The type of object originally represented, such as "category", "post", or "attachment".',
    {
      read: (_, { item }) => item.object,
      write: sent('object', (name: string) => name.toLowerCase().replace(/[^a-z0-9_-]/g, '')),
    },
  ),
  field('object_id', everywhere, 'The database ID of the original object this menu item represents.', {
    schema: () => z.int().min(0),
    json: (row, { item }) => String(item.type === 'custom' ? row.id : item.objectId),
    write: named<MenuItemFields>('objectId'),
  }),
  field('parent', everywhere, 'The ID for the parent of the object.', {
    schema: () => z.int().min(0),
    json: (row, { showing }) => String(parentShown(row, showing)),
    write: named<MenuItemFields>('parent'),
  }),
  field('menu_order', everywhere, 'The place of the item among those of its menu.', {
    schema: () => z.int().min(1),
    json: (row) => String(row.menuOrder),
    write: sent('menuOrder', (order: number) => Math.min(order, 2 ** 31 - 1), 'menu_order'),
  }),
  field('target', everywhere, 'The target attribute of the link element for this menu item.', {
    schema: () => z.enum(['_blank', '']),
    json: (_, { item }) => `"${item.target}"`,
    write: named<MenuItemFields>('target'),
  }),
  field('classes', everywhere, 'Class names for the link element of this menu item.', {
    schema: names,
    json: (_, { item }) => namesJson(item.classes),
    write: sent('classes', (list: readonly string[]) => list.map(className)),
  }),
  field('xfn', everywhere, 'The XFN relationship expressed in the link of this menu item.', {
    schema: names,
    json: (_, { item }) => namesJson(item.xfn),
    write: sent('xfn', (list: readonly string[]) => list.map(className)),
  }),
  bool('invalid', everywhere, 'Whether the menu item represents an object that no longer exists.', {
    readonly: true,
    read: (_, { item }) => item.invalid,
  }),
  int('menus', whole, 'The terms assigned to the object in the nav_menu taxonomy.', {
    when: ({ inMenu }) => inMenu,
    read: (row) => menuOf(row),
    write: sent('menu', (id: number) => Math.abs(id), 'menus'),
  }),
  field('meta', whole, 'Meta fields.', { schema: () => z.object({}), json: () => '[]' }),
  { name: '_links', ...shown, json: (row, { showing, item }) => menuItemLinksJson(row, item, showing) },
];

const fieldsOf = defineFields<MenuItemTypes>(fields);
const inMenu = fieldsOf({ inMenu: true });
const inNone = fieldsOf({ inMenu: false });

export const menuItemFields = inMenu;

export function menuItemRecord(row: EntryRow, showing: EntryShowing): FieldRecord {
  const set = menuOf(row) === 0 ? inNone : inMenu;
  return set.record(showing.context, row, { showing, item: shownItem(row, showing) });
}

export const menuItemSchema = (): unknown => recordSchema('nav_menu_item', menuItemFields.properties());

/** What an item is below, if the viewer may see that. */
function parentShown({ parent }: EntryRow, { viewer, model }: EntryShowing): number {
  if (parent === 0 || has(viewer, menuItem.rights.read)) return parent;
  const above = model.entry(parent);
  return above !== undefined && isPublicMenuItem(above, model) ? parent : 0;
}

/** Id of the menu that an item is in; 0: none. */
function menuOf(row: EntryRow): number {
  const [id = 0] = termsIn(row, 'nav_menu');
  return id;
}

function titleJson(_: EntryRow, { showing, item }: ShowingItem): JsonText {
  const shownText = `"rendered":${item.titleJson}`;
  return showing.context === 'edit' ? `{"raw":${asciiJson(item.title)},${shownText}}` : `{${shownText}}`;
}

function namesJson(list: MenuItem['classes']): JsonText {
  return asciiJson(list.length === 0 ? [''] : list);
}

function textsOf({ id }: EntryRow, { model }: EntryShowing) {
  return model.texts(id) ?? { content: '', excerpt: '' };
}

function checkTitle(value: unknown): Fault | null {
  return typeof value === 'string' || isRecord(value) ? null : wrongType('title', 'string,object');
}

function checkUrl(value: unknown): Fault | null {
  const isUsable = isScalar(value) && (value === '' || webAddress(String(value)) !== '');
  return isUsable ? null : fault('rest_invalid_url', 'Invalid URL.');
}

function sent<M extends keyof MenuItemFields, V>(
  member: M,
  read: (value: V) => MenuItemFields[M],
  parameter: string = member,
): (call: Call<Model>) => Partial<MenuItemFields> {
  return (call) => {
    const value = call.sent(parameter);
    return value === undefined || value === null ? {} : only(member, read(call.params[parameter] as V));
  };
}

/** Reduces a word to a valid class name: letters, digits, `-` and `_`, without percent escapes. */
function className(word: string): string {
  return word.replace(/%[a-f0-9]{2}/gi, '').replace(/[^A-Za-z0-9_-]/g, '');
}

function menuItemLinksJson(row: EntryRow, item: ShownItem, { model, viewer, context }: EntryShowing): JsonText {
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
