import { isDeepStrictEqual } from 'node:util';
import { codec } from '#catalogue/events.ts';
import type { DomainEvent } from '#domain/kernel/event.ts';
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

interface Wanted {
  readonly file: StoredFile;
  readonly fields: MediaFields;
}

/** Milliseconds within which the same upload counts as repeated. */
const REPEATED = 60_000;

/** Creates a media item for a stored file. Returns its id. */
export function uploadMedia(session: Session, file: StoredFile, fields: MediaFields): number | Refusal {
  const facts = factsFor(session, 0);
  return stage(session, facts.nextId, decide.uploadMedia(file, fields, facts)) ?? facts.nextId;
}

/**
 * The item that the same user made by the same upload within the last minute; null: none. Nothing is kept for it: such an item has the
 * bytes and the place that this one would have, and was decided as this one would be if it were not there.
 */
export function repeatedUpload(session: Session, wanted: Wanted): number | null {
  const facts = factsFor(session, 0);
  const inItsPlace = new Set<number>();
  const addressTaken = (address: string, hash: string) => {
    const found = session.of(media).served(address);
    if (found?.hash === hash) inItsPlace.add(found.item.id);
    return facts.addressTaken(address, hash);
  };
  decide.uploadMedia(wanted.file, wanted.fields, { ...facts, addressTaken });
  const newestFirst = [...inItsPlace].sort((a, b) => b - a);
  return newestFirst.find((id) => isMadeBy(session, id, wanted)) ?? null;
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

/** Whether the same user made an item within the last minute by an upload like this one. */
function isMadeBy(session: Session, id: number, { file, fields }: Wanted): boolean {
  const { at, actor, events } = beginningOf(session, id);
  if (actor !== (session.viewer ?? anonymous).id || Date.parse(session.at) - Date.parse(at) >= REPEATED) return false;
  const facts = factsFor(session, id);
  const { folder, name } = load(session, id);
  const addressTaken = (address: string, hash: string) =>
    address !== `${folder}/${name}` && facts.addressTaken(address, hash);
  const again = decide.uploadMedia(file, fields, { ...facts, nextId: id, addressTaken });
  return !isRefusal(again) && isDeepStrictEqual(undated(again, session.now.gmt), undated(events, at.slice(0, 19)));
}

/** The events that made an item. What has not reached the log, because it is decided in the same group, is known by its row alone. */
function beginningOf(session: Session, id: number) {
  const [first, second] = session.historyOf(mediaStream(id), { direction: 'forwards', limit: 2 });
  if (first === undefined) {
    const { ord: _, touched: __, titleJson: ___, descriptionJson: ____, status, ...data } = load(session, id);
    const events = [{ type: 'MediaUploaded', data }, ...(status ? [{ type: 'MediaMadePrivate', data: {} }] : [])];
    return { at: session.at, actor: data.author, events };
  }
  const isWhole = second?.commit.id === first.commit.id && second.type === 'MediaMadePrivate';
  const events = isWhole ? [first, second] : [first];
  return { at: first.at, actor: first.actor, events: events.map((stored) => codec.decode(stored)) };
}

/** Events without the times of uploads that have no date of their own, but that of their moment. */
function undated(events: readonly DomainEvent[], moment: string) {
  const none = { date: '', dateGmt: '', modified: '', modifiedGmt: '' };
  return events.map(({ type, data }) => ({
    type,
    data: (data as { readonly dateGmt?: unknown }).dateGmt === moment ? { ...(data as object), ...none } : data,
  }));
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
