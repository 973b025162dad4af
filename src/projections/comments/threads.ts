import type { CommentPlace, CommentRow, CommentThread } from './types.ts';

/** Arranges replies below their parents. A comment whose parent is missing is placed at the top. */
export function threadsOf(
  comments: readonly CommentPlace[],
  read: (id: number) => CommentRow,
): readonly CommentThread[] {
  const ordered = [...comments].sort(oldestFirst);
  const known = new Set(ordered.map(({ id }) => id));
  const below = new Map<number, CommentPlace[]>();
  for (const comment of ordered) {
    const siblings = below.get(comment.parent);
    if (siblings === undefined) below.set(comment.parent, [comment]);
    else siblings.push(comment);
  }
  const placed = new Set<number>();
  const threads: Thread[] = [];
  const begin = (comment: CommentPlace) => {
    if (placed.has(comment.id)) return;
    placed.add(comment.id);
    const root = new Thread(comment, read);
    threads.push(root);
    const waiting = [root];
    for (let thread = waiting.pop(); thread !== undefined; thread = waiting.pop()) {
      for (const answer of below.get(thread.id) ?? []) {
        if (placed.has(answer.id)) continue;
        placed.add(answer.id);
        const next = new Thread(answer, read);
        thread.answers.push(next);
        waiting.push(next);
      }
    }
  };
  for (const comment of ordered) if (!known.has(comment.parent)) begin(comment);
  // The rest reply to each other in cycles.
  for (const comment of ordered) begin(comment);
  return threads.length > 1 ? threads.sort((a, b) => oldestFirst(a.place, b.place)) : threads;
}

class Thread implements CommentThread {
  readonly place: CommentPlace;
  readonly answers: Thread[] = [];
  readonly #read: (id: number) => CommentRow;

  constructor(place: CommentPlace, read: (id: number) => CommentRow) {
    this.place = place;
    this.#read = read;
  }

  get id(): number {
    return this.place.id;
  }

  get comment(): CommentRow {
    return this.#read(this.id);
  }
}

function oldestFirst(a: CommentPlace, b: CommentPlace): number {
  if (a.dateGmt !== b.dateGmt) return a.dateGmt < b.dateGmt ? -1 : 1;
  return a.id - b.id;
}
