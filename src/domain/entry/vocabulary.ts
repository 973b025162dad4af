/** Statuses an entry can have in the store. */
export const entryStatuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const;
export type EntryStatus = (typeof entryStatuses)[number];

/** Statuses that can be written; the trash is reached by deleting. */
export const writableStatuses = ['publish', 'future', 'draft', 'pending', 'private'] as const;
export type WritableStatus = (typeof writableStatuses)[number];

export const formats = [
  'standard',
  'aside',
  'chat',
  'gallery',
  'link',
  'image',
  'quote',
  'status',
  'video',
  'audio',
] as const;
export type Format = (typeof formats)[number];

/** Drafts and pending entries need no slug and may have a floating date. */
export function isUnfinished(status: EntryStatus): boolean {
  return status === 'draft' || status === 'pending';
}
