import { type AddressEvent, addressStream } from '#domain/address/events.ts';
import { eraseComment as decideComment, deleteComment } from '#domain/comment/decide.ts';
import { commentStream } from '#domain/comment/state.ts';
import { eraseEntry as decideEntry } from '#domain/entry/decide.ts';
import { entryStream } from '#domain/entry/state.ts';
import type { ErasureReason } from '#domain/kernel/erasure.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { eraseMedia as decideMedia } from '#domain/media/decide.ts';
import { mediaStream } from '#domain/media/state.ts';
import { eraseUser as decideUser, eraseDeletedUser } from '#domain/user/decide.ts';
import { userStream } from '#domain/user/state.ts';
import type { Model } from '#projections/reading/model.ts';
import type { UserRow } from '#projections/users/definition.ts';
import { knownDigest } from './addresses.ts';
import { administratorsIn, userNamed } from './credentials.ts';
import { deleteEntry } from './entries.ts';
import { deleteMedia } from './media.ts';
import type { Session } from './session.ts';

/** Orders of erasure, given by an administrator. `src/node/erasure` carries them out. */

/** Deletes an entry permanently if it exists, and orders its erasure. Returns its stream. Idempotent. */
export function eraseEntry(session: Session, id: number, order: ErasureReason): string | Refusal {
  const stream = entryStream(id);
  const last = session.lastOf(stream);
  if (last === null) return refuse('entry_not_found', `There has never been an entry with the id ${id}.`);
  if (session.entry(id) !== undefined) deleteEntry(session, id);
  session.stage(stream, decideEntry(id, last, order));
  return stream;
}

/** Deletes a media item if it exists, and orders its erasure. Returns its stream. Idempotent. */
export function eraseMedia(session: Session, id: number, order: ErasureReason): string | Refusal {
  const stream = mediaStream(id);
  const last = session.lastOf(stream);
  if (last === null) return refuse('media_not_found', `There has never been a media item with the id ${id}.`);
  if (session.media(id) !== undefined) deleteMedia(session, id);
  session.stage(stream, decideMedia(id, last, order));
  return stream;
}

/** Deletes a comment if it exists, and orders its erasure. Returns its stream. Idempotent. */
export function eraseComment(session: Session, id: number, order: ErasureReason): string | Refusal {
  const stream = commentStream(id);
  const last = session.lastOf(stream);
  if (last === null) return refuse('comment_not_found', `There has never been a comment with the id ${id}.`);
  const parent = session.comments.table.parentOf(id);
  if (parent !== undefined) session.stage(stream, deleteComment({ id, parent }));
  session.stage(stream, decideComment(id, last, order));
  return stream;
}

/** Orders the erasure of everything stored under a mail address. Returns the stream of the address. Idempotent. */
export function eraseAddress(session: Session, email: string, order: ErasureReason): string | Refusal {
  const digest = knownDigest(session, email);
  if (digest === null) return refuse('address_not_found', 'Nothing is stored under any mail address.');
  const ordered: AddressEvent = { type: 'AddressErased', data: { ...order } };
  session.stage(addressStream(digest), [ordered]);
  return addressStream(digest);
}

/** Repeats an order that was given for a stream. Returns null when the log has no event of it. Idempotent. */
export function eraseAgain(session: Session, stream: string, order: ErasureReason): string | Refusal | null {
  const [, area = '', id = ''] = /^(entry|media|comment|user)-(\d+)$/.exec(stream) ?? [];
  // The stream of an address has nothing but such orders.
  if (area !== '' && session.lastOf(stream) === null) return null;
  if (area === 'entry') return eraseEntry(session, Number(id), order);
  if (area === 'media') return eraseMedia(session, Number(id), order);
  if (area === 'comment') return eraseComment(session, Number(id), order);
  if (area === 'user') return eraseUserById(session, Number(id), order);
  const ordered: AddressEvent = { type: 'AddressErased', data: { ...order } };
  session.stage(stream, [ordered]);
  return stream;
}

/** Closes an account permanently and orders its erasure. Returns its stream. Idempotent if called with the id. */
export function eraseUser(session: Session, who: string, order: ErasureReason): string | Refusal {
  const user = findAccount(session, who);
  return user === undefined ? eraseDeleted(session, who, order) : eraseAccount(session, user, order);
}

function eraseUserById(session: Session, id: number, order: ErasureReason): string | Refusal {
  const user = session.user(id);
  return user === undefined ? eraseDeleted(session, String(id), order) : eraseAccount(session, user, order);
}

function eraseAccount(session: Session, user: UserRow, order: ErasureReason): string | Refusal {
  const administrators = administratorsIn(session);
  const events = decideUser(user, { administrators }, order);
  if (isRefusal(events)) return events;
  const stream = userStream(user.id);
  session.stage(stream, events);
  return stream;
}

function eraseDeleted(session: Session, who: string, order: ErasureReason): string | Refusal {
  const stream = /^\d{1,15}$/.test(who) ? userStream(Number(who)) : '';
  const last = stream === '' ? null : session.lastOf(stream);
  if (last === null) return unknown(who);
  session.stage(stream, eraseDeletedUser(Number(who), last, order));
  return stream;
}

/** Finds the account with a login or mail address; else the one with that id, even when it has been erased. */
export function findAccount(model: Model, who: string): UserRow | undefined {
  const id = userNamed(model, who)?.id ?? (/^\d{1,15}$/.test(who) ? Number(who) : 0);
  return model.user(id);
}

export function unknown(who: string): Refusal {
  return refuse('invalid_username', `There is no user with the login, mail address or id ${who}.`);
}
