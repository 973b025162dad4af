import * as decide from '#domain/entry/decide.ts';
import type { EntryEvent } from '#domain/entry/events.ts';
import { navigation, page } from '#domain/entry/kinds.ts';
import type { MediaEvent } from '#domain/media/events.ts';
import type { TermEvent } from '#domain/term/events.ts';
import { menu } from '#domain/term/kinds.ts';
import { menuSettingsOf } from '#domain/term/menus.ts';
import { entries } from '#projections/entries/definition.ts';
import { factsFor, stageEntry } from '../entries.ts';
import { addPage, deleteMenuItems } from '../menu-items.ts';
import type { Session } from '../session.ts';
import type { AnyReaction, Staged } from './types.ts';

/** Deletes menu items together with their menu, and with what they link to. */
export const dropItems: AnyReaction = (session, { events }) => {
  if (session.isRestoring) return null;
  const items = (events as readonly (EntryEvent | MediaEvent | TermEvent)[]).flatMap((event) => {
    switch (event.type) {
      case 'EntryDeleted':
      case 'MediaDeleted':
        return session.of(entries).itemsLeadingTo('post_type', event.data.id);
      case 'TermDeleted':
        return event.data.taxonomy === menu.name
          ? session.of(entries).itemsIn(event.data.id)
          : session.of(entries).itemsLeadingTo('taxonomy', event.data.id);
      default:
        return [];
    }
  });
  return items.length === 0 ? null : deleteMenuItems(session, items);
};

export const addPagesToMenus: AnyReaction = (session, staged) => {
  const id = session.isRestoring ? null : publishedPage(session, staged);
  if (id === null) return null;
  const menus = session.terms(menu.name).filter((each) => menuSettingsOf(each).autoAdd);
  return menus.length === 0 ? null : () => menus.forEach((each) => void addPage(session, id, each.id));
};

/**
 * A site with pages has a navigation, so that requests for the one to begin with need not make it. A navigation that somebody deleted
 * for good comes back with the next page.
 */
export const beginNavigation: AnyReaction = (session, { events }) => {
  const isPage = (events as readonly EntryEvent[]).some(
    ({ type, data }) => type === 'EntryCreated' && data.kind === page.name,
  );
  if (!isPage || session.isRestoring || session.of(entries).hasNavigation()) return null;
  return () => {
    const fields = { title: 'Navigation', content: '<!-- wp:page-list /-->', status: 'publish' } as const;
    const facts = { ...factsFor(session, navigation, 0), mayPublish: true };
    stageEntry(session, facts.nextId, decide.createEntry(navigation, fields, facts));
  };
};

/** Returns the id of the page that the events publish, or null. */
function publishedPage(session: Session, { stream, events }: Staged): number | null {
  const known = events as readonly EntryEvent[];
  const created = known.find((event) => event.type === 'EntryCreated');
  const isPublished = known.some(({ type }) => type === 'EntryPublished' || type === 'EntryReleased');
  if (created?.data.status !== 'publish' && !isPublished) return null;
  const id = Number(stream.slice('entry-'.length));
  return (created?.data.kind ?? session.entry(id)?.kind) === page.name ? id : null;
}
