import type { Dimensions } from '#domain/media/sizes.ts';
import type { PluginHtml } from './pages.ts';
import type { PluginTaxonomy } from './reader.ts';

/** Parts of pages, for whoever calls. */
export interface PluginView {
  /** An entry of any visibility: check whether to show it. */
  entry(id: number): EntryView | undefined;
  /** Title and content of a public entry as plain text; undefined for all others. */
  text(entry: number): { readonly title: string; readonly content: string } | undefined;
  user(id: number): UserView | undefined;
  /** The file of an image in a size: its name, or a box that it has to fit into. Null if there is no image that the caller may see. */
  image(media: number, size: string | Dimensions): ImageView | null;
  /** The approved comments on an entry, as a list; null if there are none. */
  comments(entry: number): PluginHtml | null;
  /**
   * Further posts of a list block, in its template, by the id of the block; null if no public content has one. `limit` is at most a hundred.
   */
  morePosts(list: string, pages: ListPages): MorePosts | null | Promise<MorePosts | null>;
  contactForms(): readonly { readonly id: number; readonly title: string }[];
  /** The form of a page that is one; null for others. */
  contactForm(page: number): PluginHtml | null;
}

export interface ListPages {
  /** 2 is the first one after the posts that the block shows. */
  readonly page: number;
  /** Posts on a page; default: as many as the block shows. */
  readonly limit?: number | undefined;
}

export interface MorePosts {
  readonly shown: PluginHtml;
  /** How many posts the list has. */
  readonly total: number;
}

export interface EntryView {
  readonly address: string;
  /** An address that never changes. */
  readonly guid: string;
  /** Plain text. */
  readonly title: string;
  /** Class names of the element that shows it. */
  readonly classes: readonly string[];
  /** Links to its categories. */
  readonly categories: PluginHtml;
  /** In the order in which pages show them; names are plain text. */
  terms(taxonomy: PluginTaxonomy): readonly { readonly id: number; readonly name: string; readonly address: string }[];
  /** Number of approved comments. */
  readonly comments: number;
  /** The same in words: `2 comments`. */
  readonly commentsInWords: string;
  /** Null if it is not for sale. */
  readonly price: PluginHtml | null;
  /** The form for its password, which its page takes. */
  readonly passwordForm: PluginHtml;
  /** The excerpt as plain text, or the content if it has none; also of a protected entry. */
  summary(): string;
}

export interface UserView {
  /** The page with what they published. */
  readonly address: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly picture: PluginHtml;
  readonly pictureUrl: string;
}

export interface ImageView extends Dimensions {
  readonly url: string;
  /** Whether it is one of the smaller sizes of the image. */
  readonly isSmaller: boolean;
  readonly element: PluginHtml;
}
