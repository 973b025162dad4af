import type { EntryMoment } from '#domain/entry/commands.ts';
import type { Media } from './state.ts';

type FileFacts = Pick<
  Media,
  'type' | 'hash' | 'bytes' | 'image' | 'shown' | 'sizes' | 'missing' | 'photo' | 'recording'
>;

export interface StoredFile extends FileFacts {
  /** File name for addresses, before numbering: without folder, with the extension of its type. */
  readonly name: string;
  /** Default title; null: derived from the final name. */
  readonly title: string | null;
  /** Default texts; absent: none. */
  readonly caption?: string;
  readonly altText?: string;
}

/** Fields of a media item that a request sets; absent members are kept. Texts are already filtered for their sender. */
export interface MediaFields {
  readonly title?: string;
  readonly caption?: string;
  readonly description?: string;
  readonly altText?: string;
  /** As sent; normalised by the decision. */
  readonly slug?: string;
  /** Null: now. */
  readonly date?: EntryMoment | null;
  readonly author?: number;
  readonly commentStatus?: 'open' | 'closed';
  readonly pingStatus?: 'open' | 'closed';
  /** The entry that the item is attached to; any id when an existing item is changed. */
  readonly parent?: number;
  readonly featuredMedia?: number;
  readonly status?: 'inherit' | 'private';
}

/** Fields of the copy that an edit of an image makes; absent members are taken from the source. */
export type CopyFields = Pick<MediaFields, 'title' | 'caption' | 'description' | 'altText' | 'parent'>;

/** What the decision depends on besides the item, as of the position of the decision. */
export interface MediaFacts {
  readonly now: EntryMoment;
  readonly nextId: number;
  readonly actor: number;
  readonly commentStatus: 'open' | 'closed';
  readonly slugTaken: (slug: string) => boolean;
  /** Numbers known to be taken for a slug, which need no lookup. */
  readonly slugEndings: (stem: string) => readonly string[];
  /** Whether an address, ignoring case, belongs to a file or has ever belonged to other bytes. */
  readonly addressTaken: (address: string, hash: string) => boolean;
  readonly userExists: (id: number) => boolean;
  readonly isImage: (id: number) => boolean;
  /** Local date of the entry, which decides the folder of files attached to it; null if there is no such entry or it is irrelevant. */
  readonly dateOf: (entry: number) => string | null;
}
