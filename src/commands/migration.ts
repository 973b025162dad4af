import type { Comment } from '#domain/comment/state.ts';
import { type Entry, entryStream } from '#domain/entry/state.ts';
import type { RevisionTexts } from '#domain/entry/texts.ts';
import type { DomainEvent } from '#domain/kernel/event.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { ofAddress } from '#domain/kernel/subject.ts';
import {
  type ImportedItem,
  type KeptIds,
  type Migration,
  type MigrationComparison,
  migrations,
} from '#domain/migration/area.ts';
import { templates } from '#domain/templates/area.ts';
import { undoStream } from '#domain/undo/events.ts';
import { addUser } from '#domain/user/decide.ts';
import { type User, userStream } from '#domain/user/state.ts';
import type { EventStore } from '#eventstore/port.ts';
import { type RevisionRow, revisions } from '#projections/entries/revisions.ts';
import { addressDigest } from './addresses.ts';
import { trashEntry } from './entries.ts';
import { completeState, isErasedOwner, isOnly, ownersOf, writersOf } from './imported-state.ts';
import type { Session } from './session.ts';
import { readCommit, refOf, streamOf } from './undo/affected.ts';
import { withSubject } from './undo/subjects.ts';
import { userFacts } from './users.ts';

/** An item as it is to be here. */
export interface WantedItem extends ImportedItem {
  /** As an undo reads and restores it; ids and addresses in it are those of this site. `id` 0: the next free one. */
  readonly state: object;
  /** All that the source has of it; absent: the source does not say. */
  readonly revisions?: readonly WantedRevision[];
  /** What this store does not use of it, as JSON. */
  readonly unread?: string;
}

export interface WantedRevision extends RevisionTexts {
  /** 0: the next free one. */
  readonly id: number;
  readonly isAutosave: boolean;
  readonly author: number;
  readonly saved: string;
  readonly savedGmt: string;
}

/** Something that this store does not use, and keeps. */
export interface WantedUnread {
  readonly key: string;
  readonly digest: string;
  readonly data: string;
  /** As in `entry-12`. */
  readonly whose: readonly string[];
  /** Mail address of whom it is about; '': nobody's. */
  readonly email: string;
}

export interface ImportedOne {
  readonly key: string;
  /** 0: it was not imported. */
  readonly id: number;
  /** `same`: it was so already; `kept`: somebody has changed it here since it was imported, so it was left. */
  readonly did: 'made' | 'changed' | 'same' | 'kept' | 'refused';
  /** Number of revisions that were not here yet. */
  readonly revisions?: number;
  readonly code?: string;
  readonly message?: string;
}

export interface ImportOptions {
  readonly run: number;
  /** Whether what was changed here since is made what it is at the source. */
  readonly overwrites: boolean;
  readonly log: Pick<EventStore, 'read'>;
}

type Series = keyof KeptIds;

/**
 * Begins an import, or goes on with one. Keeps ids up to the highest of the source, and `extra` ones behind them for what has an id there
 * that is taken here. Returns the migration.
 */
export function beginMigration(
  session: Session,
  wanted: Omit<Migration, 'run' | 'ids'> & {
    readonly highest: Readonly<Record<Series, number>>;
    readonly extra: Readonly<Record<Series, number>>;
  },
): Migration {
  const { highest, extra, ...about } = wanted;
  const { nextId: item, nextTerm: term, nextUser: user, nextComment: comment } = session.next;
  const next = { item, term, user, comment };
  const range = (of: Series) => ({ from: next[of], to: Math.max(next[of], highest[of] + 1) + extra[of] });
  const ids = { item: range('item'), term: range('term'), user: range('user'), comment: range('comment') };
  const data = { run: session.plugin(migrations).last + 1, ...about, ids };
  session.stage(migrations.stream, [{ type: 'MigrationBegan', data }]);
  return data;
}

/** Characters that the log takes. */
const [longestKey, longestAddress] = [1024, 8192];
const nameTooLong = refuse('name_too_long', `Its name at the source has more than ${longestKey} characters.`);

interface WantedGroup {
  readonly items: readonly WantedItem[];
  readonly unread: readonly WantedUnread[];
}

/**
 * Makes items what they are at a source, all in one commit, at the end of the request and in turns with others. What is refused leaves no
 * trace, and does not stop the others. What it returns is complete by then.
 */
export function importItems(session: Session, wanted: WantedGroup, options: ImportOptions): readonly ImportedOne[] {
  const done: ImportedOne[] = [];
  session.later(importing(session, { wanted, done }, options));
  return done;
}

function* importing(
  session: Session,
  { wanted, done }: { readonly wanted: WantedGroup; readonly done: ImportedOne[] },
  options: ImportOptions,
): Generator<void> {
  const { run } = options;
  const noted: ImportedItem[] = [];
  for (const item of wanted.items) {
    const one = session.attempt(() =>
      item.key.length > longestKey
        ? nameTooLong
        : session.during({ isRestoring: true }, () => importOne(session, item, options)),
    );
    const { key, area, digest, modified } = item;
    const addresses = item.addresses?.filter((address) => address.length <= longestAddress);
    if (isRefusal(one)) done.push({ key, id: 0, did: 'refused', code: one.code, message: one.message });
    else {
      done.push(one);
      const more = { ...(addresses && { addresses }), ...(modified && { modified }) };
      if (one.did !== 'kept') noted.push({ key, area, id: one.id, digest, ...more });
    }
    yield;
  }
  if (noted.length > 0) session.stage(migrations.stream, [{ type: 'ItemsImported', data: { run, items: noted } }]);
  for (const { email, whose, key: name, ...one } of wanted.unread) {
    const key = name.length > longestKey ? one.digest : name;
    const digest = addressDigest(session, email);
    const owners = [...whose, ...(digest === '' ? [] : [ofAddress(digest)])];
    if (!owners.some((owner) => isErasedOwner(session, owner)))
      session.stage(migrations.stream, [{ type: 'UnreadKept', data: { run, key, ...one, whose: owners } }]);
  }
}

/** Notes what a comparison found. */
export function noteComparison(session: Session, found: MigrationComparison): void {
  session.stage(migrations.stream, [{ type: 'MigrationCompared', data: found }]);
}

/** Moves entries to the trash that are gone at their source. What somebody has changed here stays. Returns how many were moved. */
export function trashGone(
  session: Session,
  items: readonly ImportedItem[],
  { run, log }: Pick<ImportOptions, 'run' | 'log'>,
): number {
  const moved = items.filter(({ area, id }) => {
    if (session.entry(id) === undefined || isOfOthers(session, { area, id }, { log })) return false;
    return session.attempt(() => trashEntry(session, id)) === null;
  });
  if (moved.length > 0) session.stage(migrations.stream, [{ type: 'ItemsImported', data: { run, items: [...moved] } }]);
  return moved.length;
}

function importOne(session: Session, item: WantedItem, options: ImportOptions): ImportedOne | Refusal {
  const { key, area } = item;
  const id = item.id === 0 && !isOnly(area) ? nextIn(session, area) : item.id;
  const before = session.stagedCount;
  const ref = { area, id };
  if (area === 'comment' && writersOf(session, item.state as Comment).some((owner) => isErasedOwner(session, owner))) {
    return refuse('writer_erased', 'Who wrote it was erased here: neither it nor a change of it comes.');
  }
  const stream = streamOf(ref);
  const now = withSubject(area, (subject): object | null => subject.read(session, id));
  // What a source does not say stays.
  const wanted = completeState(session, item, { id, now });
  // Settings come when they are asked for.
  const isGuarded = !options.overwrites && area !== 'site';
  if (now !== null && isGuarded && isOfOthers(session, ref, options)) {
    return isDifferent(item, now, wanted) ? { key, id, did: 'kept' } : { key, id, did: 'same' };
  }
  if (now === null && area === 'user' && session.lastOf(stream) !== null)
    return { key, id, did: 'kept', ...goneAccount };
  if (now === null && area === 'user') {
    const refusal = addAccount(session, wanted as User);
    if (refusal !== null) return refusal;
  } else if (now === null || isDifferent(item, now, wanted)) {
    const isNew = now === null && session.lastOf(stream) === null;
    // Somebody has deleted it here.
    if (now === null && !isNew && isGuarded && isOfOthers(session, ref, options))
      return { key, id, did: 'kept', ...deletedHere };
    if (isNew && isTaken(session, id, area)) return refuse('id_taken', `The id ${id} belongs to something else here.`);
    const events = withSubject(area, (subject) => subject.restore(session, now as never, wanted as never));
    if (isRefusal(events)) return events;
    session.stage(stream, asAtSource(events, wanted, { isNew, hasRevisions: item.revisions !== undefined }));
  }
  const added = (item.revisions ?? []).filter((one) => importRevision(session, id, one)).length;
  if (item.unread !== undefined) keepUnread(session, item, { id, run: options.run });
  const did = session.stagedCount === before ? 'same' : now === null ? 'made' : 'changed';
  return { key, id, did, revisions: added };
}

const deletedHere = {
  code: 'deleted_here',
  message: 'It was deleted here since it was imported, so it does not come: --overwrite brings it back.',
};

const goneAccount = {
  code: 'account_gone',
  message: 'This account was deleted or erased here: it does not come again.',
};

/** Whether an item differs from what it is to be, in a field that can be given back. */
function isDifferent({ area }: WantedItem, now: object, wanted: object): boolean {
  return differingFields(area, now, wanted).length > 0;
}

/** Names of the fields in which two states of an item differ. */
export function differingFields(area: WantedItem['area'], one: object, other: object): readonly string[] {
  return withSubject(area, ({ fieldsOf }) => {
    const [before, after] = [fieldsOf(one as never), fieldsOf(other as never)] as Record<string, unknown>[];
    const isSame = (name: string) => JSON.stringify(inOrder(before?.[name])) === JSON.stringify(inOrder(after?.[name]));
    return Object.keys(after ?? {}).filter((name) => !isSame(name));
  });
}

/** A field with its lists of ids in ascending order: sources have terms in any. */
function inOrder(field: unknown): unknown {
  if (Array.isArray(field))
    return field.every((id) => typeof id === 'number') ? field.toSorted((a, b) => a - b) : field;
  if (typeof field !== 'object' || field === null) return field;
  return Object.fromEntries(Object.entries(field).map(([name, value]) => [name, inOrder(value)]));
}

/** Whether the last change of an item was no import of it, apart from what was undone since. */
function isOfOthers(
  session: Session,
  ref: { area: WantedItem['area']; id: number },
  { log }: Pick<ImportOptions, 'log'>,
): boolean {
  for (const event of session.historyOf(streamOf(ref))) {
    // Areas with several documents have one stream.
    const about = refOf(event);
    if (about?.area !== ref.area || about.id !== ref.id) continue;
    const commit = readCommit(log, event.position);
    // An undo may have given back what others wrote.
    if (commit?.events.some(({ stream }) => stream === undoStream)) continue;
    return commit?.events.every(({ stream }) => stream !== migrations.stream) ?? true;
  }
  return false;
}

function nextIn(session: Session, area: WantedItem['area']): number {
  const { next } = session;
  if (area === 'term') return next.nextTerm;
  if (area === 'user') return next.nextUser;
  if (area === 'plugin-templates') return session.plugin(templates).last + 1;
  return area === 'comment' ? next.nextComment : next.nextId;
}

function isTaken(session: Session, id: number, area: WantedItem['area']): boolean {
  if (area !== 'entry' && area !== 'media') return false;
  const others = [`entry-${id}`, `media-${id}`].some((stream) => session.lastOf(stream) !== null);
  return others || session.of(revisions).row(id) !== undefined;
}

/** Events that were made for now have the time of the last save at the source; what is new does not come back. */
function asAtSource(
  events: readonly DomainEvent[],
  wanted: object,
  { isNew, hasRevisions }: { readonly isNew: boolean; readonly hasRevisions: boolean },
): readonly DomainEvent[] {
  const { modified, modifiedGmt, date, dateGmt } = wanted as Partial<Entry>;
  return events.flatMap(({ type, data }) => {
    if (hasRevisions && type === 'EntryRevisionKept') return [];
    const { again, ...own } = data as Record<string, unknown>;
    return {
      type,
      data: {
        ...own,
        ...(again === undefined || isNew ? {} : { again }),
        ...('modified' in own ? { modified, modifiedGmt } : {}),
        ...(type === 'EntryCreated' ? { date, dateGmt } : {}),
        ...(hasRevisions && type === 'EntryRevised' ? { revision: null } : {}),
      },
    };
  });
}

/** An account without a password. A mail address that another one has, or that is none, is left out. */
function addAccount(session: Session, wanted: Pick<User, 'id' | 'login'> & Partial<User>): Refusal | null {
  const facts = { ...userFacts(session), nextUser: wanted.id };
  const account = { roles: ['author'] as const, ...wanted };
  const events = addUser(account, facts);
  const made = isRefusal(events) && /email/.test(events.code) ? addUser({ ...account, email: '' }, facts) : events;
  if (isRefusal(made)) return made;
  session.stage(userStream(wanted.id), made);
  return null;
}

/** Returns whether it was not there yet. */
function importRevision(session: Session, entry: number, wanted: WantedRevision): boolean {
  const { id: given, isAutosave, author, saved, savedGmt, title, content, excerpt, footnotes } = wanted;
  const table = session.of(revisions);
  const texts = { title, content, excerpt, footnotes };
  const known = knownRevision(table.of(entry).all(), wanted);
  if (known !== undefined && (!isAutosave || known.dateGmt === savedGmt)) return false;
  const isFree = given !== 0 && !isTaken(session, given, 'entry') && given < session.next.nextId;
  const revision = known?.id ?? (isFree ? given : session.next.nextId);
  const data = { revision, isNew: known === undefined, isAutosave, author, saved, savedGmt, ...texts };
  session.stage(entryStream(entry), [{ type: 'EntryRevisionImported', data }]);
  return true;
}

/** A revision that is there already; an account has one autosave of an entry. */
function knownRevision(rows: readonly RevisionRow[], wanted: WantedRevision): RevisionRow | undefined {
  const { id, isAutosave, author, savedGmt } = wanted;
  return rows.find((row) => {
    if (row.isAutosave !== isAutosave) return false;
    if (isAutosave) return row.author === author;
    return row.id === id || (row.dateGmt === savedGmt && row.author === author);
  });
}

function keepUnread(
  session: Session,
  item: WantedItem,
  { id, run }: { readonly id: number; readonly run: number },
): void {
  const { key, digest, unread: data = '' } = item;
  const whose = ownersOf(session, item, id);
  if (whose.some((owner) => isErasedOwner(session, owner))) return;
  session.stage(migrations.stream, [{ type: 'UnreadKept', data: { run, key, digest, whose, data } }]);
}
