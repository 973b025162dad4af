import type { CommentEvent } from '#domain/comment/events.ts';
import { type Comment, commentStream, evolveComment } from '#domain/comment/state.ts';
import type { EntryEvent } from '#domain/entry/events.ts';
import { concerns, type Entry, entryStream, evolveEntry } from '#domain/entry/state.ts';
import { mediaStream } from '#domain/media/state.ts';
import type { EventStore } from '#eventstore/port.ts';
import { toRecorded } from '../kernel/recorded.ts';
import type { LostUser } from '../users/definition.ts';
import type { LostComment } from './store.ts';
import type { CommentRow } from './types.ts';

export interface CommentFoldParts {
  readonly position: number;
  readonly log: Pick<EventStore, 'read'>;
  readonly lost: (id: number) => LostComment | undefined;
  readonly lostUsers: (position: number) => readonly LostUser[];
}

interface HostFate {
  readonly trashed: readonly number[];
  readonly isDeleted: boolean;
}

export class CommentFolds {
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
      const lost = state.parent === 0 || state.parent === state.id ? undefined : this.#parts.lost(state.parent);
      if (lost === undefined || lost.position <= since || lost.position > until) break;
      state = { ...this.#trashedBy(state, at, lost.position), parent: lost.parent };
      at = Math.max(at, lost.position);
      since = lost.position;
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
    const { log, position, lostUsers } = this.#parts;
    const waiting = [...lostUsers(position)];
    if (!waiting.some(({ event }) => event.data.heir === 0)) return [];
    const trashed: number[] = [];
    let entry: Entry | null = null;
    const lose = (until: number) => {
      for (let lost = waiting[0]; lost !== undefined && lost.position < until; lost = waiting[0]) {
        waiting.shift();
        if (entry === null || !concerns(entry, lost.event)) continue;
        if (lost.event.data.heir === 0) trashed.push(lost.position);
        entry = evolveEntry(entry, [lost.event]);
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
