export type EntryStatus = (typeof entryStatuses)[number];
export type WritableStatus = (typeof writableStatuses)[number];
export type Format = (typeof formats)[number];

/** Statuses of stored entries. */
export const entryStatuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const;

/** Statuses that can be set; an entry gets to the trash by being deleted. */
export const writableStatuses = ['publish', 'future', 'draft', 'pending', 'private'] as const;

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

export const formatNames: Readonly<Record<Format, string>> = {
  standard: 'Standard',
  aside: 'Aside',
  chat: 'Chat',
  gallery: 'Gallery',
  link: 'Link',
  image: 'Image',
  quote: 'Quote',
  status: 'Status',
  video: 'Video',
  audio: 'Audio',
};

/** Whether a status needs no slug and allows a floating date. */
export function isUnfinished(status: EntryStatus): boolean {
  return status === 'draft' || status === 'pending';
}
