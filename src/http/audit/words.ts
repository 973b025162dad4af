import { entryKinds } from '#domain/entry/kinds.ts';
import type { EntryStatus } from '#domain/entry/vocabulary.ts';

const statuses: Readonly<Record<EntryStatus, string>> = {
  publish: 'published',
  future: 'scheduled',
  draft: 'draft',
  pending: 'waiting for review',
  private: 'private',
  trash: 'in the trash',
};

export function statusInWords(status: EntryStatus): string {
  return statuses[status];
}

/** What an entry is, such as `post`, `pattern` or `menu item`. */
export function kindInWords(kind: string): string {
  return entryKinds.find(({ name }) => name === kind)?.type.singular.toLowerCase() ?? kind;
}
