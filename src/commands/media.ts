import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { CopyFields, MediaFacts, MediaFields, StoredFile } from '#domain/media/commands.ts';
import * as decide from '#domain/media/decide.ts';
import type { EditStep } from '#domain/media/editing.ts';
import type { MediaEvent } from '#domain/media/events.ts';
import { type MediaSize, mediaStream } from '#domain/media/state.ts';
import { isImageType } from '#domain/media/types.ts';
import { anonymous } from '#domain/user/roles.ts';
import { media } from '#projections/media/definition.ts';
import type { MediaRow } from '#projections/media/row.ts';
import { mediaKind } from '#projections/media/store.ts';
import type { Session } from './session.ts';

/** Creates a media item for a stored file. Returns its id. */
export function uploadMedia(session: Session, file: StoredFile, fields: MediaFields): number | Refusal {
  const facts = factsFor(session, 0);
  return stage(session, facts.nextId, decide.uploadMedia(file, fields, facts)) ?? facts.nextId;
}

/** Creates a media item from an edited copy of another one. Returns its id. */
export function editMedia(
  session: Session,
  source: number,
  edit: { readonly file: StoredFile; readonly fields: CopyFields; readonly steps: readonly EditStep[] },
): number | Refusal {
  const facts = factsFor(session, 0);
  return stage(session, facts.nextId, decide.editMedia(load(session, source), edit, facts)) ?? facts.nextId;
}

export function addSizes(session: Session, id: number, made: readonly MediaSize[]): void {
  session.stage(mediaStream(id), decide.addSizes(load(session, id), made, factsFor(session, id)));
}

export function changeMedia(session: Session, id: number, fields: MediaFields): Refusal | null {
  return stage(session, id, decide.changeMedia(load(session, id), fields, factsFor(session, id)));
}

/** Deletes a media item. The same event removes it as featured media. */
export function deleteMedia(session: Session, id: number): void {
  session.stage(mediaStream(id), decide.deleteMedia(load(session, id)));
}

export function isImage(session: Session, id: number): boolean {
  return isImageType(session.media(id)?.type ?? '');
}

function stage(session: Session, id: number, events: readonly MediaEvent[] | Refusal): Refusal | null {
  if (isRefusal(events)) return events;
  session.stage(mediaStream(id), events);
  return null;
}

function load(session: Session, id: number): MediaRow {
  const row = session.media(id);
  if (row === undefined) throw new Error(`there is no media item ${id}`);
  return row;
}

function factsFor(session: Session, id: number): MediaFacts {
  return {
    now: session.now,
    nextId: session.next.nextId,
    actor: (session.viewer ?? anonymous).id,
    commentStatus: session.site().defaultCommentStatus,
    slugTaken: (slug) => session.nameTaken(slug, id),
    slugEndings: (stem) => session.slugEndings(stem, { kind: mediaKind, id, parent: -1 }),
    addressTaken: (address, hash) => session.of(media).addressTaken(address, hash),
    userExists: (user) => session.user(user) !== undefined,
    isImage: (image) => isImage(session, image),
    dateOf: (entry) => {
      const row = session.entry(entry);
      // Media attached to a page is not moved into the past.
      return row === undefined || row.kind === 'page' ? null : row.date;
    },
  };
}
