import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { EntryFields } from './commands.ts';
import { type MenuItem, plainMenuItem } from './menu-item.ts';

/** Fields of a menu item that a request sets; absent members are kept. */
export interface MenuItemFields extends Partial<MenuItem> {
  readonly title?: string;
  readonly tip?: string;
  readonly description?: string;
  readonly status?: 'publish' | 'draft';
  readonly parent?: number;
  readonly menuOrder?: number;
  readonly menu?: number;
}

/** An item as it is currently shown, with derived values; a new item has the defaults. */
export interface ShownMenuItem extends MenuItem {
  readonly title: string;
}

export const newMenuItem: ShownMenuItem = { ...plainMenuItem, object: '', title: '' };

export interface MenuItemFacts {
  /** The target of an item: its kind or taxonomy, and its title. */
  readonly target: (type: MenuItem['type'], id: number) => MenuTarget | null;
  /** Title of the archive of a content type; null: no such type. */
  readonly archive: (type: string) => string | null;
  readonly menuExists: (id: number) => boolean;
}

export interface MenuTarget {
  readonly object: string;
  readonly title: string;
}

/** Plans the saved fields of an item. A title that equals the target's is stored empty, so that it follows the target. */
export function planMenuItem(
  shown: ShownMenuItem,
  fields: MenuItemFields,
  facts: MenuItemFacts,
): EntryFields | Refusal {
  const item = { ...shown, object: presentObject(shown, fields), ...fields };
  const object = planObject(item, facts);
  if (isRefusal(object)) return object;
  const isCustom = item.type === 'custom';
  const refusal = (isCustom ? missing(item) : null) ?? unknownMenu(fields, facts);
  if (refusal !== null) return refusal;
  const { type, objectId, target, classes, xfn, url } = item;
  const { title, tip: excerpt, description: content, status, parent, menuOrder, menu } = fields;
  const part = { type, object, target, classes, xfn };
  return {
    ...given({ title, excerpt, content, status, parent, menuOrder }),
    ...(isCustom && shown.type !== 'custom' ? { title: item.title } : {}),
    ...(title !== undefined && title === titleOf(item, object, facts) ? { title: '' } : {}),
    ...(menu ? { otherTerms: { nav_menu: [menu] } } : {}),
    part: isCustom ? { ...part, object: 'custom', objectId: 0, url: url.trim() } : { ...part, objectId, url: '' },
  };
}

function presentObject({ type, object }: ShownMenuItem, { type: wanted = type }: MenuItemFields): string {
  return wanted === type ? object : '';
}

/** The object that an item links to; derived from the target's id where the request does not name it. */
function planObject({ type, object, objectId }: MenuItem, facts: MenuItemFacts): string | Refusal {
  if (type === 'post_type_archive') {
    return facts.archive(object) === null ? notFound('rest_post_invalid_type', 'Invalid post type.') : object;
  }
  if (type === 'custom' || object !== '') return object;
  const target = facts.target(type, objectId);
  if (target !== null) return target.object;
  return type === 'taxonomy'
    ? notFound('rest_term_invalid_id', 'Invalid term ID.')
    : notFound('rest_post_invalid_id', 'Invalid post ID.');
}

function titleOf({ type, objectId }: MenuItem, object: string, facts: MenuItemFacts): string | null {
  if (type === 'custom') return null;
  return type === 'post_type_archive' ? facts.archive(object) : (facts.target(type, objectId)?.title ?? null);
}

const noTitle = refuse('rest_title_required', 'The title is required when using a custom menu item type.');
const noUrl = refuse('rest_url_required', 'The url is required when using a custom menu item type.');

function missing({ title, url }: ShownMenuItem): Refusal | null {
  if (title !== '') return url === '' ? noUrl : null;
  if (url !== '') return noTitle;
  const { code, message } = noUrl;
  return { ...noTitle, extra: { additional_errors: [{ code, message, data: { status: 400 } }] } };
}

function unknownMenu({ menu = 0 }: MenuItemFields, { menuExists }: MenuItemFacts): Refusal | null {
  return menu === 0 || menuExists(menu) ? null : refuse('invalid_menu_id', 'Invalid menu ID.');
}

function notFound(code: string, message: string): Refusal {
  return { ...refuse(code, message), about: 'input' };
}

function given(fields: { readonly [N in keyof EntryFields]: EntryFields[N] | undefined }): EntryFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
