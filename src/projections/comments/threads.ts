import type { CommentRow, CommentThread } from './types.ts';

/** Arranges replies below their parents. A comment whose parent is missing is placed at the top. */
export function threadsOf(comments: readonly CommentRow[]): readonly CommentThread[] {
  const ordered = [...comments].sort(oldestFirst);
  const known = new Set(ordered.map(({ id }) => id));
  const below = new Map<number, CommentRow[]>();
  for (const comment of ordered) {
    const siblings = below.get(comment.parent);
    if (siblings === undefined) below.set(comment.parent, [comment]);
    else siblings.push(comment);
  }
  const placed = new Set<number>();
  const threads: { comment: CommentRow; answers: CommentThread[] }[] = [];
  const begin = (comment: CommentRow) => {
    if (placed.has(comment.id)) return;
    placed.add(comment.id);
    const root = { comment, answers: [] as CommentThread[] };
    threads.push(root);
    const waiting = [root];
    for (let thread = waiting.pop(); thread !== undefined; thread = waiting.pop()) {
      for (const answer of below.get(thread.comment.id) ?? []) {
        if (placed.has(answer.id)) continue;
        placed.add(answer.id);
        const next = { comment: answer, answers: [] as CommentThread[] };
        thread.answers.push(next);
        waiting.push(next);
      }
    }
  };
  for (const comment of ordered) if (!known.has(comment.parent)) begin(comment);
  // The rest reply to each other in cycles.
  for (const comment of ordered) begin(comment);
  return threads.length > 1 ? threads.sort((a, b) => oldestFirst(a.comment, b.comment)) : threads;
}

function oldestFirst(a: CommentRow, b: CommentRow): number {
  if (a.dateGmt !== b.dateGmt) return a.dateGmt < b.dateGmt ? -1 : 1;
  return a.id - b.id;
}
