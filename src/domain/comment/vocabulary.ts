/** A note is a comment among the authors of an entry. */
export const commentKinds = ['comment', 'note'] as const;
export type CommentKind = (typeof commentKinds)[number];

/** Statuses of stored comments. `post-trashed`: the host is in the trash. */
export const commentStatuses = ['approved', 'hold', 'spam', 'trash', 'post-trashed'] as const;
export type CommentStatus = (typeof commentStatuses)[number];

/** Whether a note resolves or reopens the thread that it replies to. */
export const resolutions = ['resolved', 'reopen'] as const;
export type Resolution = (typeof resolutions)[number];

export type StatusWord = 'approve' | 'hold' | 'spam' | 'unspam' | 'trash' | 'untrash';

const words: Readonly<Record<string, StatusWord>> = {
  approve: 'approve',
  approved: 'approve',
  '1': 'approve',
  hold: 'hold',
  '0': 'hold',
  spam: 'spam',
  unspam: 'unspam',
  trash: 'trash',
  untrash: 'untrash',
};

/** Parses a status word; null if it is unknown. Case and punctuation are ignored. */
export function statusWord(sent: string): StatusWord | null {
  const word = sent.toLowerCase().replace(/[^a-z0-9_-]/g, '');
  return Object.hasOwn(words, word) ? (words[word] ?? null) : null;
}
