import type { Moment } from '#domain/entry/commands.ts';
import type { TakenNumbers } from '#domain/kernel/numbering.ts';
import type { Media } from './state.ts';

export interface StoredFile extends Pick<Media, 'type' | 'hash' | 'bytes' | 'image' | 'shown' | 'sizes' | 'missing'> {
  /** Its name as it is to stand in addresses, apart from a number: without folder, with the ending of its type. */
  readonly name: string;
  /** What it is called where no title is given; null: as its address turns out to be. */
  readonly title: string | null;
}

/** What a request names of a media item; absent members stay as they are. Texts are already filtered for who sent them. */
export interface MediaFields {
  readonly title?: string;
  readonly caption?: string;
  readonly description?: string;
  readonly altText?: string;
  /** As sent; made a proper slug here. */
  readonly slug?: string;
  /** Null: now. */
  readonly date?: Moment | null;
  readonly author?: number;
  readonly commentStatus?: 'open' | 'closed';
  readonly pingStatus?: 'open' | 'closed';
  /** The entry that it is attached to; of an item that is there already any id. */
  readonly parent?: number;
  readonly featuredMedia?: number;
  readonly status?: 'inherit' | 'private';
}

/** What the copy that editing makes of an image is given; absent members are as the source has them. */
export type CopyFields = Pick<MediaFields, 'title' | 'caption' | 'description' | 'altText' | 'parent'>;

/** What the decision depends on besides the item itself, all as of the position that is decided upon. */
export interface MediaFacts {
  readonly now: Moment;
  readonly nextId: number;
  readonly actor: number;
  readonly commentStatus: 'open' | 'closed';
  readonly slugTaken: (slug: string) => boolean;
  /** Numbers behind a slug that need not be looked up. */
  readonly numbers?: (slug: string) => TakenNumbers | undefined;
  /** Whether an address, in whatever case of its letters, stands for a file already, or stood for other bytes once. */
  readonly addressTaken: (address: string, hash: string) => boolean;
  readonly userExists: (id: number) => boolean;
  readonly isImage: (id: number) => boolean;
  /** Local date of an entry that files attached to it are put beside; null when there is none, or it has no say. */
  readonly dateOf: (entry: number) => string | null;
}
