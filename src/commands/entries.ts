import type { EntryFacts, EntryFields } from '#domain/entry/commands.ts';
import * as decide from '#domain/entry/decide.ts';
import { type EntryKind, kindOf } from '#domain/entry/kinds.ts';
import { type Entry, entryStream } from '#domain/entry/state.ts';
import type { RevisionTexts } from '#domain/entry/texts.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { anonymous, may } from '#domain/user/roles.ts';
import { entries } from '#projections/entries/definition.ts';
import { type RevisionRow, revisions } from '#projections/entries/revisions.ts';
import { samePlaces } from '#projections/kernel/text-places.ts';
import { media } from '#projections/media/definition.ts';
import { claimedWords } from '#projections/reading/top.ts';
import { isImage } from './media.ts';
import type { Session } from './session.ts';
import { defaultCategory } from './settings.ts';

/** Commands on entries of all kinds: gather the facts, decide, stage the events. */

/** Creates an entry. Returns its id. */
export function createEntry(session: Session, kind: EntryKind, fields: EntryFields): number | Refusal {
  const facts = factsFor(session, kind, 0);
  const events = decide.createEntry(kind, fields, facts);
  if (isRefusal(events)) return events;
  session.stage(entryStream(facts.nextId), events);
  return facts.nextId;
}

export function saveEntry(session: Session, id: number, fields: EntryFields): Refusal | null {
  const entry = load(session, id);
  const events = decide.saveEntry(entry, fields, factsFor(session, kindOf(entry.kind), id));
  return stageEntry(session, id, events);
}

export function trashEntry(session: Session, id: number): Refusal | null {
  const entry = load(session, id);
  return stageEntry(session, id, decide.trashEntry(entry, factsFor(session, kindOf(entry.kind), id)));
}

/** Deletes an entry permanently. The same event moves its child pages and attached files to its parent. */
export function deleteEntry(session: Session, id: number): void {
  const hasBelow = session.of(entries).below.has(id) || session.of(media).hasAttached(id);
  const entry = load(session, id);
  const clashing = hasBelow
    ? session.of(entries).below.clashing(id, entry.parent, claimedWords(session.site().names))
    : [];
  session.stage(entryStream(id), decide.deleteEntry(entry, hasBelow));
  // What has the address goes first: pages that come there get numbers.
  for (const page of clashing) saveEntry(session, page, { slug: session.entry(page)?.slug ?? '' });
}

/** Publishes a scheduled entry if it is due, and otherwise does nothing, so that several callers may try. */
export function releaseEntry(session: Session, id: number): void {
  if (session.entry(id) === undefined) return;
  const facts = { now: session.now, defaultCategory: defaultCategory(session) };
  session.stage(entryStream(id), decide.releaseEntry(load(session, id), facts));
}

/** Stages what was decided about an entry, unless it was refused. */
export function stageEntry(session: Session, id: number, events: ReturnType<typeof decide.saveEntry>): Refusal | null {
  if (isRefusal(events)) return events;
  session.stage(entryStream(id), events);
  return null;
}

/** Returns the entry with its texts. Throws when it does not exist. */
export function load(session: Session, id: number): Entry {
  const [row, texts] = [session.entry(id), session.texts(id)];
  if (row === undefined || texts === undefined) throw new Error(`there is no entry ${id}`);
  return { ...row, ...texts };
}

/** Returns the facts for decisions about an entry; `id` is 0 for a new one. */
export function factsFor(session: Session, kind: EntryKind, id: number): EntryFacts {
  const viewer = session.viewer ?? anonymous;
  return {
    now: session.now,
    soon: session.soon,
    nextId: session.next.nextId,
    actor: viewer.id,
    mayPublish: may(viewer, kind.rights.publish),
    defaultCategory: defaultCategory(session),
    discussion: discussionOf(session),
    slugTaken: (slug, parent) =>
      session.slugTaken(slug, { kind: kind.name, id, parent: kind.hierarchical ? parent : -1 }),
    slugEndings: (stem, parent) =>
      session.slugEndings(stem, { kind: kind.name, id, parent: kind.hierarchical ? parent : -1 }),
    userExists: (user) => session.user(user) !== undefined,
    entryExists: (entry) => session.entry(entry) !== undefined || session.media(entry) !== undefined,
    isImage: (media) => isImage(session, media),
    lineage: (entry) => session.lineage(entry),
    lastRevision: () => {
      const last = session.of(revisions).last(id);
      return last === undefined ? null : (stillOf(session, last) ?? session.revisionTexts(last));
    },
  };
}

/** Texts of a revision that are still those of its entry, so that they need not be read from the log; else null. */
function stillOf(session: Session, { parent, places }: RevisionRow): RevisionTexts | null {
  const [row, written] = [session.entry(parent), session.of(entries).written(parent)];
  if (row === undefined || written === undefined || !samePlaces(places, written.places)) return null;
  return { title: row.title, footnotes: row.footnotes, ...written.texts };
}

function discussionOf(session: Session): EntryFacts['discussion'] {
  const { defaultCommentStatus: commentStatus, defaultPingStatus: pingStatus } = session.site();
  return { commentStatus, pingStatus };
}
