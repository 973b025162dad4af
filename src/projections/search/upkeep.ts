import { addBits, newBits } from '../kernel/bits.ts';
import { buildSegment } from './build.ts';
import { mergeSegments } from './merge.ts';
import type { Segment } from './segment.ts';
import type { SearchTail } from './tail.ts';
import type { TextsOf } from './types.ts';

export interface IndexSizes {
  readonly tail: number;
  /** Entries per new segment: more need more memory during building, fewer need more merging afterwards. */
  readonly segment: number;
  readonly merge: number;
  /** Positions read and written between two pauses of merging; each list counts as ten more. */
  readonly pause: number;
}

export interface UpkeepOptions {
  readonly sizes?: IndexSizes | undefined;
  /** Whether saved segments stay as they are: another index saves and merges them. */
  readonly keepsSaved?: boolean | undefined;
}

/** Up to this number, texts are searched directly: an index would not be faster. */
export const directTexts = 100;
const usualSizes: IndexSizes = { tail: directTexts, segment: 8192, merge: 4, pause: 40_000 };

export class Upkeep {
  readonly tail: SearchTail;
  readonly #textsOf: TextsOf;
  readonly #sizes: IndexSizes;
  readonly #keepsSaved: boolean;
  #segments: readonly Segment[] = [];
  #work: Generator<void> | null = null;
  #changed = new Set<number>();
  readonly #toRewrite = new Set<Segment>();

  constructor(tail: SearchTail, textsOf: TextsOf, { sizes = usualSizes, keepsSaved = false }: UpkeepOptions = {}) {
    this.tail = tail;
    this.#textsOf = textsOf;
    this.#sizes = sizes;
    this.#keepsSaved = keepsSaved;
  }

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** Whether segments still contain what `forgetDead` was called for. */
  get isForgetting(): boolean {
    return this.#toRewrite.size > 0;
  }

  /** Whether the tail is too long to be searched directly. */
  get hasLongTail(): boolean {
    return this.tail.size > this.#sizes.tail || this.tail.isLong;
  }

  /** Has all segments with removed or changed entries rewritten without them, before any other work. */
  forgetDead(): void {
    // A merge under way may have begun when they were not removed yet.
    this.#work = null;
    for (const segment of this.#segments) if (segment.liveCount < segment.ords.length) this.#toRewrite.add(segment);
  }

  /** Replaces everything by these segments. */
  restore(segments: readonly Segment[]): void {
    this.#work = null;
    this.#toRewrite.clear();
    this.tail.clear();
    this.#segments = segments;
  }

  put(ord: number): void {
    this.#forget(ord);
    this.tail.put(ord);
  }

  remove(ord: number): void {
    this.#forget(ord);
    this.tail.delete(ord);
  }

  /** Continues the work. Returns false when none is left. `all`: until there is one segment and no tail. */
  step(all: boolean): boolean {
    this.#work ??= this.#nextWork(all);
    if (this.#work === null) return false;
    if (this.#work.next().done) this.#work = null;
    return true;
  }

  #forget(ord: number): void {
    this.#changed.add(ord);
    for (const segment of this.#segments) segment.kill(ord);
  }

  #nextWork(all: boolean): Generator<void> | null {
    this.#changed = new Set();
    const [first] = this.#toRewrite;
    if (first !== undefined) return this.#merge([first]);
    if (this.hasLongTail || (all && this.tail.size > 0))
      return this.#build(this.tail.ords.slice(0, this.#sizes.segment));
    const own = this.#keepsSaved ? this.#segments.filter(({ lists }) => !lists.isSaved) : this.#segments;
    const sources = all ? own : mergeable(own, this.#sizes.merge);
    const done = sources.length === 0 || (all && sources.length === 1 && !isWasteful(sources[0]!));
    if (!done) return this.#merge(sources);
    return all ? null : this.#warmUp();
  }

  #warmUp(): Generator<void> | null {
    for (const { vocabulary } of this.#segments) {
      const work = vocabulary.warmUp();
      if (work !== null) return work;
    }
    return null;
  }

  *#build(ords: readonly number[]): Generator<void> {
    const segment = yield* buildSegment(ords, this.#textsOf);
    for (const ord of ords) if (!this.#changed.has(ord)) this.tail.delete(ord);
    for (const ord of this.#changed) segment?.kill(ord);
    this.#replace([], segment);
  }

  *#merge(sources: readonly Segment[]): Generator<void> {
    const segment = yield* mergeSegments(sources, this.#sizes.pause);
    if (segment !== null) {
      const live = newBits(segment.live.length * 32);
      for (const source of sources) addBits(live, source.live);
      segment.keepAlive(live);
    }
    this.#replace(sources, segment);
  }

  #replace(sources: readonly Segment[], segment: Segment | null): void {
    const kept = this.#segments.filter((other) => !sources.includes(other) && other.liveCount > 0);
    this.#segments = segment === null ? kept : [...kept, segment];
    for (const old of this.#toRewrite) if (!kept.includes(old)) this.#toRewrite.delete(old);
  }
}

function mergeable(segments: readonly Segment[], fanIn: number): readonly Segment[] {
  const tiers = Map.groupBy(segments, ({ liveCount }) => Math.floor(Math.log(liveCount + 1) / Math.log(fanIn)));
  const crowded = [...tiers.values()].find(({ length }) => length >= fanIn);
  return crowded ?? segments.filter(isWasteful).slice(0, 1);
}

function isWasteful({ liveCount, ords }: Segment): boolean {
  return liveCount < ords.length / 2;
}
