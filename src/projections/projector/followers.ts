import type { DatabaseSync } from 'node:sqlite';
import type { RecordedEvent } from '#domain/kernel/event.ts';
import type { Changes } from '../kernel/changes.ts';
import { type EventRun, type Following, runsOf, type Tables } from '../kernel/projection.ts';
import { following } from './all.ts';
import { checkFollowing, type Positions, positionsIn, savePosition } from './following.ts';

interface Member {
  readonly projection: Following;
  readonly carry: (run: EventRun) => void;
  position: number;
  saved: number;
}

/** Following projections are never further behind for long: events, and their bytes. */
const maxEvents = 64;
const maxBytes = 1_000_000;
const touching = following.filter(({ touches }) => touches.length > 0);

/** The following projections on the writing connection. The caller manages transactions. */
export class Followers {
  readonly #db: DatabaseSync;
  readonly #members: readonly Member[];
  #waiting: RecordedEvent[] = [];
  #waitingBytes = 0;
  #limits: Positions = new Map();

  constructor(db: DatabaseSync, tables: Tables) {
    this.#db = db;
    const member = (projection: Following): Member => ({
      ...{ projection, carry: projection.carry(tables) },
      ...{ position: 0, saved: 0 },
    });
    this.#members = following.map(member);
    this.reload();
  }

  get position(): number {
    return Math.min(Number.MAX_SAFE_INTEGER, ...this.#members.map(({ position }) => position));
  }

  limit(positions: Positions): void {
    this.#limits = positions;
  }

  isBehind(position: number): boolean {
    return this.#members.some((member) => member.position < this.#end(member, position));
  }

  /** Whether they are so far behind a position that they should catch up at once. */
  isFarBehind(position: number): boolean {
    return position - this.position >= maxEvents || this.#waitingBytes >= maxBytes;
  }

  /** Keeps events that the other projections now show; `bytes`: their size. */
  note(events: readonly RecordedEvent[], bytes: number): void {
    const last = this.#waiting.at(-1)?.meta.position ?? this.position;
    if (events[0]?.meta.position !== last + 1 || this.isFarBehind(last)) {
      this.#forget();
      return;
    }
    this.#waiting.push(...events);
    this.#waitingBytes += bytes;
  }

  /** The events up to a position that they lack; null if these have to be read from the log. */
  missing(position: number): readonly RecordedEvent[] | null {
    return this.#waiting.at(-1)?.meta.position === position ? this.#waiting : null;
  }

  apply(events: readonly RecordedEvent[]): void {
    const last = events.at(-1)?.meta.position ?? 0;
    for (const member of this.#members) {
      const end = this.#end(member, last);
      if (end <= member.position) continue;
      const isNew = ({ meta }: RecordedEvent) => meta.position > member.position && meta.position <= end;
      for (const run of runsOf(events.filter(isNew))) member.carry(run);
      member.position = end;
    }
    this.#forget();
  }

  save(): void {
    for (const member of this.#members) {
      if (member.saved !== member.position) savePosition(this.#db, member.projection, member.position);
      member.saved = member.position;
    }
  }

  reload(): void {
    checkFollowing(this.#db);
    const positions = positionsIn(this.#db);
    for (const member of this.#members) {
      member.position = positions.get(member.projection.name) ?? 0;
      member.saved = member.position;
    }
    this.#forget();
  }

  touch({ area, events }: EventRun, changes: Changes): void {
    for (const projection of touching) {
      if (!events.some(({ event }) => projection.concerns(area, event.type))) continue;
      for (const key of projection.touches) changes.keys.add(key);
    }
  }

  #end({ projection }: Member, position: number): number {
    return Math.min(position, this.#limits.get(projection.name) ?? position);
  }

  #forget(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}
