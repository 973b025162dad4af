import type { EntryEvent } from '#domain/entry/events.ts';
import { type Post, type PostSource, timeText } from './posts.ts';
import { below, pick, type Random, seeded } from './random.ts';
import { authorIds } from './site.ts';

/** One save: the commit that a request of its time would have made. */
export interface Save {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly actor: number;
  readonly event: EntryEvent;
  /** The post, if this save created it. */
  readonly created: Post | null;
}

export interface HistorySpec {
  readonly seed: number;
  readonly posts: number;
  /** Total number of saves, including creations. */
  readonly saves: number;
}

interface Kept {
  readonly id: number;
  author: number;
  comments: 'open' | 'closed';
  saves: number;
}

const first = Date.UTC(2016, 0, 1);
const last = Date.UTC(2026, 0, 1);

/**
 * Ten years of a site: posts are created at an even rate, and in between random older ones are saved
 * again. Half of those saves change the texts.
 */
export function* history({ seed, posts, saves }: HistorySpec, source: PostSource): Generator<Save> {
  const random = seeded(seed, 6);
  const kept: Kept[] = [];
  let nextId = 1;
  for (let i = 0; i < saves; i++) {
    const at = first + Math.floor(((last - first) * i) / saves);
    if (kept.length * saves <= i * posts) {
      const created = source.create(nextId++, at);
      kept.push({ id: created.id, author: created.author, comments: 'open', saves: 0 });
      yield { id: created.id, at, actor: created.author, event: { type: 'EntryCreated', data: created }, created };
    } else {
      const post = pick(random, kept);
      const event = saveAgain(post, { random, source, at, nextId });
      if (event.type === 'EntryRevised') nextId += 1;
      yield { id: post.id, at, actor: post.author, event, created: null };
    }
  }
}

interface Circumstances {
  readonly random: Random;
  readonly source: PostSource;
  readonly at: number;
  readonly nextId: number;
}

function saveAgain(post: Kept, { random, source, at, nextId }: Circumstances): EntryEvent {
  const saved = { modified: timeText(at), modifiedGmt: timeText(at) };
  const kind = random();
  post.saves += 1;
  // The first save of a post always leaves a revision.
  if (post.saves === 1 || kind < 0.45) {
    return { type: 'EntryRevised', data: { revision: nextId, ...saved, ...source.revise(post.id, post.saves) } };
  }
  if (kind < 0.65) return { type: 'EntryClassified', data: { ...source.classify(random), ...saved } };
  if (kind < 0.8) {
    post.comments = post.comments === 'open' ? 'closed' : 'open';
    return { type: 'EntryDetailsChanged', data: { ...saved, commentStatus: post.comments } };
  }
  if (kind < 0.85) {
    post.author = ((post.author + below(random, authorIds.length - 1)) % authorIds.length) + 1;
    return { type: 'EntryAuthorChanged', data: { author: post.author, ...saved } };
  }
  return { type: 'EntrySaved', data: saved };
}
