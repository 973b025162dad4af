/** Notes are comments among those who write an entry. */
export const commentKinds = ['comment', 'note'] as const;
export type CommentKind = (typeof commentKinds)[number];

/** Statuses that a comment can have in the store. `post-trashed`: what it is on was moved to the trash. */
export const commentStatuses = ['approved', 'hold', 'spam', 'trash', 'post-trashed'] as const;
export type CommentStatus = (typeof commentStatuses)[number];

/** What a note says of the one that it answers. */
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

/** The word that somebody meant; null where it is none. Upper case and punctuation do not matter. */
export function statusWord(sent: string): StatusWord | null {
  const word = sent.toLowerCase().replace(/[^a-z0-9_-]/g, '');
  return Object.hasOwn(words, word) ? (words[word] ?? null) : null;
}
