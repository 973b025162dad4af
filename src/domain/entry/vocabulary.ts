/** Statuses of stored entries. */
export const entryStatuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const;
export type EntryStatus = (typeof entryStatuses)[number];

/** Statuses that can be set; an entry gets to the trash by being deleted. */
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

/** Whether a status needs no slug and allows a floating date. */
export function isUnfinished(status: EntryStatus): boolean {
  return status === 'draft' || status === 'pending';
}
