import { termsIn } from '#domain/entry/classification.ts';
import { archiveTitle } from '#domain/entry/content-type.ts';
import { entryKinds, kindOf, partOf } from '#domain/entry/kinds.ts';
import { type MenuItem, menuItemPart, plainMenuItem } from '#domain/entry/menu-item.ts';
import type { ShownMenuItem } from '#domain/entry/menu-items.ts';
import { mediaType } from '#domain/media/types.ts';
import { allTermKinds, menu, termKinds } from '#domain/term/kinds.ts';
import { menuSettingsOf } from '#domain/term/menus.ts';
import type { Term } from '#domain/term/state.ts';
import { anonymous, type Viewer } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import type { TermRow } from '#projections/terms/definition.ts';
import type { JsonText } from '#text/json.ts';
import { resultOf } from '#text/prepared-texts.ts';
import { mediaLink, permalink, termLink } from './addresses/items.ts';
import { canReadEntry, canReadMedia } from './rights.ts';

export interface ShownItem extends ShownMenuItem {
  readonly titleJson: JsonText;
  readonly typeLabel: string;
  readonly invalid: boolean;
  /** The viewer may not read the target. */
  readonly isHidden: boolean;
  /** Collection of the target; null if the target is not an item. */
  readonly base: string | null;
}

interface Showing {
  readonly model: Model;
  readonly viewer: Viewer;
}

interface Target {
  readonly title: string;
  readonly url: string;
  readonly base: string | null;
  readonly isTrashed?: boolean;
  readonly isHidden?: boolean;
}

export interface MenuPlace {
  readonly name: string;
  readonly description: string;
}

/** Addresses that an item may lead everybody to. */
const ADDRESS = /^(?:https?:|mailto:|tel:|[/?#])/i;

const types = [...entryKinds.map(({ name, type }) => ({ ...type, slug: name })), mediaType];
const nowhere: Target = { title: '', url: '', base: null };

export function shownItem(row: EntryRow, showing: Showing): ShownItem {
  const item = partOf(menuItemPart, row) ?? plainMenuItem;
  if (item.type === 'custom') {
    const { title, titleJson } = row;
    return { ...item, title, titleJson, typeLabel: 'Custom Link', invalid: false, isHidden: false, base: null };
  }
  const target = targetOf(item, showing);
  const label = labelOf(item);
  const { url, base, title: found } = target ?? nowhere;
  const own = row.title === '' ? found || `#${item.objectId} (no title)` : row.title;
  return {
    ...item,
    title: own,
    titleJson: row.title === '' ? resultOf('title', own) : row.titleJson,
    typeLabel: label ?? item.object,
    url,
    base,
    invalid: label === null || target === null || target.isTrashed === true,
    isHidden: target?.isHidden === true,
  };
}

function labelOf({ type, object }: MenuItem): string | null {
  if (type === 'post_type_archive') return 'Post Type Archive';
  if (type === 'taxonomy') return allTermKinds.find(({ name }) => name === object)?.type.singular ?? null;
  return types.find(({ slug }) => slug === object)?.singular ?? null;
}

/** The target of an item; without its name if the viewer may not read it. */
function targetOf(item: MenuItem, { model, viewer }: Showing): Target | null {
  const { type, object, objectId } = item;
  if (type === 'post_type_archive') return archiveOf(object, model);
  if (type === 'taxonomy') return termTarget(model.term(objectId), item, model);
  const entry = model.entry(objectId);
  if (entry !== undefined) {
    const target = entryTarget(entry, model);
    return canReadEntry(viewer, entry) ? target : unnamed(target, `?p=${objectId}`, model);
  }
  const media = model.media(objectId);
  if (media === undefined) return null;
  const target = { title: textIn(media.titleJson), url: mediaLink(media, model, viewer), base: mediaType.base };
  return canReadMedia(viewer, media, model) ? target : unnamed(target, `?attachment_id=${objectId}`, model);
}

function unnamed(target: Target, query: string, model: Model): Target {
  return { ...target, title: '', url: `${model.site().url}/${query}`, isHidden: true };
}

function entryTarget(row: EntryRow, model: Model): Target {
  const { base } = kindOf(row.kind);
  return { title: textIn(row.titleJson), url: permalink(row, model), base, isTrashed: row.status === 'trash' };
}

function termTarget(term: TermRow | undefined, { object }: MenuItem, model: Model): Target | null {
  if (term?.taxonomy !== object) return null;
  return { title: term.name, url: termLink(term, model), base: termKinds[term.taxonomy].base };
}

function archiveOf(object: string, model: Model): Target | null {
  const type = types.find(({ slug }) => slug === object);
  if (type === undefined) return null;
  return { title: archiveTitle(type), url: object === 'post' ? model.site().url : '', base: null };
}

/** The menus that everybody may see: those in a location of the site. */
export function publicMenus(model: Model): readonly TermRow[] {
  return model.terms(menu.name).filter((term) => placesOf(term, model).length > 0);
}

/** Whether everybody may see an item: it is published, in a public menu, and leads to something public. */
export function isPublicMenuItem(row: EntryRow, model: Model): boolean {
  if (row.status !== 'publish' || !publicMenus(model).some(({ id }) => termsIn(row, menu.name).includes(id)))
    return false;
  return leadsToPublic(shownItem(row, { model, viewer: anonymous }));
}

/** Whether what an item leads to is public. */
export function leadsToPublic({ invalid, isHidden, url }: ShownItem): boolean {
  return !invalid && !isHidden && ADDRESS.test(url);
}

function textIn(json: JsonText): string {
  return String(JSON.parse(json || '""'));
}

export function menuPlaces(model: Model): readonly MenuPlace[] {
  return model.site().menuLocations.map((place) => {
    const [name = '', ...description] = place.split('=');
    return { name, description: description.join('=') };
  });
}

/** Id of the menu in a location; 0: none. */
export function menuIn({ name }: MenuPlace, model: Model): number {
  return model.terms(menu.name).find((term) => menuSettingsOf(term).locations.includes(name))?.id ?? 0;
}

export function placesOf(menu: Pick<Term, 'menu'>, model: Model): readonly string[] {
  const known = menuPlaces(model).map(({ name }) => name);
  return menuSettingsOf(menu).locations.filter((name) => known.includes(name));
}
