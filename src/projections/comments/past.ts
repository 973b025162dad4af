import { DatabaseSync } from 'node:sqlite';
import type { CommentEvent } from '#domain/comment/events.ts';
import { type Comment, commentStream, evolveComment } from '#domain/comment/state.ts';
import type { EntryEvent } from '#domain/entry/events.ts';
import { concerns, type Entry, entryStream, evolveEntry } from '#domain/entry/state.ts';
import { mediaStream } from '#domain/media/state.ts';
import type { EventStore } from '#eventstore/port.ts';
import type { Deletions } from '../deletions/deletions.ts';
import type { Found } from '../kernel/collection-query.ts';
import { toRecorded } from '../kernel/events-until.ts';
import { remember } from '../kernel/remember.ts';
import type { DeletedUser } from '../users/definition.ts';
import { commentLateIndexes, commentTables, type PresentComments } from './definition.ts';
import { merged, placedComments, totalOf } from './find.ts';
import { CommentTable, type DeletedComment } from './store.ts';
import { threadsOf } from './threads.ts';
import type { CommentQuery, CommentRow, Comments, CommentThread } from './types.ts';

export interface PastCommentsParts {
  readonly position: number;
  readonly log: Pick<EventStore, 'read'>;
  readonly now: {
    readonly comments: PresentComments;
    readonly deletions: Pick<Deletions, 'users'>;
    readonly position: number;
  };
  /** Finds comments when too many differ; null: there is no limit. */
  readonly far: ((query: CommentQuery) => Found) | null;
  readonly overlayLimit: number;
}

interface Overlay {
  readonly db: DatabaseSync;
  readonly table: CommentTable;
  readonly hidden: readonly number[];
  readonly reached: number;
}

export interface CommentFoldParts {
  readonly position: number;
  readonly log: Pick<EventStore, 'read'>;
  readonly deleted: (id: number) => DeletedComment | undefined;
  readonly deletedUsers: (position: number) => readonly DeletedUser[];
}

interface HostFate {
  readonly trashed: readonly number[];
  readonly isDeleted: boolean;
}

/** Comments that are folded at once: some milliseconds of work. */

/** Comments as of a position. Those without later events are read from the present, all others are folded from the log. */
export class PastComments implements Comments {
  readonly #parts: PastCommentsParts;
  readonly #folds: CommentFolds;
  readonly #folded = new Map<number, CommentRow | null>();
  readonly #answered = new Map<number, ReadonlySet<number>>();
  #overlay: Overlay | null = null;

  constructor(parts: PastCommentsParts) {
    this.#parts = parts;
    const { position, log, now } = parts;
    this.#folds = new CommentFolds({
      position,
      log,
      deleted: (id) => now.comments.table.deleted(id),
      deletedUsers: (until) => now.deletions.users(until),
    });
  }

  get(id: number): CommentRow | undefined {
    return remember(this.#folded, id, () => this.#folds.get(id)) ?? undefined;
  }

  count(post: number): number {
    return this.#approvedOn(post).length;
  }

  threads(post: number): readonly CommentThread[] {
    const rows = new Map(this.#approvedOn(post).map((row) => [row.id, row]));
    return threadsOf([...rows.values()], (id) => rows.get(id) as CommentRow);
  }

  hasAnswers(id: number): boolean {
    const { post } = this.get(id) ?? { post: 0 };
    const { table } = this.#parts.now.comments;
    const direct = table.answers(id).flatMap((answer) => this.get(answer) ?? []);
    return answeredBy(direct).has(id) || this.#answeredOn(post).has(id);
  }

  find(query: CommentQuery): Found {
    const { far, overlayLimit, position, now } = this.#parts;
    const limit = far === null ? Number.MAX_SAFE_INTEGER - 1 : overlayLimit;
    const changed = now.comments.table.changedAfter(position, limit);
    if (far !== null && changed.length > limit) return far(query);
    const { db, table, hidden } = this.#overlaid(changed);
    const all = { ...query, offset: 0, limit: query.offset + query.limit };
    const present = { db: now.comments.db, counts: now.comments.table.counts, hidden };
    const own = { db, counts: table.counts };
    const placed = merged(placedComments(all, present), placedComments(all, own), query);
    return {
      ids: placed.slice(query.offset, all.limit).map(({ id }) => id),
      total: totalOf(query, present) + totalOf(query, own),
    };
  }

  #approvedOn(post: number): readonly CommentRow[] {
    return this.#everOn(post).filter((row) => row.post === post && row.kind === 'comment' && row.status === 'approved');
  }

  /** Ids of the comments of a post that have answers there. */
  #answeredOn(post: number): ReadonlySet<number> {
    return remember(this.#answered, post, () => answeredBy(this.#everOn(post)));
  }

  #everOn(post: number): readonly CommentRow[] {
    const ids = this.#parts.now.comments.table.everOn(post);
    return ids.map((id) => this.#folds.get(id)).filter((row) => row !== null);
  }

  #overlaid(changed: readonly number[]): Overlay {
    const { position: reached } = this.#parts.now;
    if (this.#overlay?.reached === reached) return this.#overlay;
    this.#overlay?.db.close();
    const db = new DatabaseSync(':memory:');
    db.exec(commentTables + commentLateIndexes);
    const table = new CommentTable(db);
    db.exec('BEGIN');
    for (const id of changed) {
      const row = this.get(id);
      if (row !== undefined) table.insert(row);
    }
    db.exec('COMMIT');
    this.#overlay = { db, table, hidden: changed, reached };
    return this.#overlay;
  }
}

function answeredBy(rows: readonly CommentRow[]): ReadonlySet<number> {
  return new Set(rows.flatMap(({ status, parent }) => (status === 'approved' || status === 'hold' ? parent : [])));
}

class CommentFolds {
  readonly #parts: CommentFoldParts;
  readonly #fates = new Map<number, HostFate>();

  constructor(parts: CommentFoldParts) {
    this.#parts = parts;
  }

  get(id: number): CommentRow | null {
    const { log, position } = this.#parts;
    let state: Comment | null = null;
    let touched = 0;
    let placed = 0;
    for (const stored of log.read({ stream: commentStream(id) })) {
      if (stored.position > position) break;
      const { event } = toRecorded(stored);
      if (state !== null) ({ state, touched, placed } = this.#reached(state, { touched, placed }, stored.position - 1));
      const own = event as CommentEvent;
      state = evolveComment(state, own);
      touched = stored.position;
      if (own.type === 'CommentWritten' || (own.type === 'CommentChanged' && own.data.parent !== undefined)) {
        placed = stored.position;
      }
    }
    if (state === null) return null;
    const { state: now, touched: at } = this.#reached(state, { touched, placed }, position);
    return this.#fateOf(now.post).isDeleted ? null : { ...now, touched: at };
  }

  /** State of a comment after events of other streams up to a position; `placed`: position since which it has its parent. */
  #reached(before: Comment, { touched, placed }: { touched: number; placed: number }, until: number) {
    let [state, at, since] = [before, touched, placed];
    for (;;) {
      const deletion = state.parent === 0 || state.parent === state.id ? undefined : this.#parts.deleted(state.parent);
      if (deletion === undefined || deletion.position <= since || deletion.position > until) break;
      state = { ...this.#trashedBy(state, at, deletion.position), parent: deletion.parent };
      at = Math.max(at, deletion.position);
      since = deletion.position;
    }
    return { state: this.#trashedBy(state, at, until), touched: at, placed: since };
  }

  #trashedBy(state: Comment, after: number, until: number): Comment {
    const isTrashed = this.#fateOf(state.post).trashed.some((at) => at > after && at <= until);
    return isTrashed ? { ...state, status: 'post-trashed' } : state;
  }

  #fateOf(post: number): HostFate {
    let fate = this.#fates.get(post);
    if (fate === undefined) {
      fate = post === 0 ? { trashed: [], isDeleted: false } : this.#read(post);
      this.#fates.set(post, fate);
    }
    return fate;
  }

  #read(post: number): HostFate {
    const { log, position } = this.#parts;
    const trashed: number[] = [];
    let isDeleted = false;
    for (const stream of [entryStream(post), mediaStream(post)]) {
      for (const { type, position: at } of log.read({ stream })) {
        if (at > position) break;
        if (type === 'EntryTrashed') trashed.push(at);
        isDeleted ||= type === 'EntryDeleted' || type === 'MediaDeleted';
      }
    }
    return { trashed: [...trashed, ...this.#trashedWithAuthor(post)], isDeleted };
  }

  #trashedWithAuthor(post: number): readonly number[] {
    const { log, position, deletedUsers } = this.#parts;
    const waiting = [...deletedUsers(position)];
    if (!waiting.some(({ event }) => event.data.heir === 0)) return [];
    const trashed: number[] = [];
    let entry: Entry | null = null;
    const lose = (until: number) => {
      for (let deletion = waiting[0]; deletion !== undefined && deletion.position < until; deletion = waiting[0]) {
        waiting.shift();
        if (entry === null || !concerns(entry, deletion.event)) continue;
        if (deletion.event.data.heir === 0) trashed.push(deletion.position);
        entry = evolveEntry(entry, [deletion.event]);
      }
    };
    for (const stored of log.read({ stream: entryStream(post) })) {
      if (stored.position > position) break;
      lose(stored.position);
      entry = evolveEntry(entry, [toRecorded(stored).event as EntryEvent]);
    }
    lose(position + 1);
    return trashed;
  }
}
