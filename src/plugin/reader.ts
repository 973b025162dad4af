import type { DomainEvent } from '#domain/kernel/event.ts';
import type { Dimensions } from '#domain/media/sizes.ts';
import type { AssetKind, AssetVariant } from '#domain/page-assets/slots.ts';
import type { Area } from '#domain/plugins/area.ts';

/** Read access to the site for plugins, at one position of the log. */
export interface PluginReader {
  readonly position: number;
  site(): PluginSite;
  /** A setting of the site by its name in the log. */
  setting(name: string): unknown;
  user(id: number): PluginUser | undefined;
  users(): readonly PluginUser[];
  entry(id: number): PluginEntry | undefined;
  /** The stored texts of an entry, as its editors see them. */
  texts(id: number): { readonly content: string; readonly excerpt: string } | undefined;
  /** Finds entries of a kind; by default the published ones, the newest first. Sees what is committed. */
  find(query: EntryQuery): { readonly ids: readonly number[]; readonly total: number };
  terms(taxonomy: PluginTaxonomy): readonly PluginTerm[];
  term(id: number): PluginTerm | undefined;
  termBySlug(taxonomy: PluginTaxonomy, slug: string): PluginTerm | undefined;
  /** Public media items, the newest first. Sees what is committed. */
  media(query: MediaQuery): readonly PluginMedia[];
  /** A document of an area; `key` is for areas with several. */
  document<S, E extends DomainEvent>(area: Area<S, E>, key?: string): S;
  /** All non-empty documents of an area, by key. */
  documents<S, E extends DomainEvent>(area: Area<S, E>): ReadonlyMap<string, S>;
  /** Ids of all media items of these content types, in ascending order. Sees what is committed. */
  mediaIds(types: readonly string[]): readonly number[];
  /** Published pages that wait for an asset of this kind; at most 500 places. */
  waitingAssets(kind: AssetKind): readonly AssetSlot[];
  /** The assets of a page, by kind and variant: `ccss desktop`. */
  assets(entry: number): Readonly<Record<string, PageAsset>>;
  /** Address of the interface, or of a namespace such as `cms/v2`; without a slash at its end. */
  interfaceUrl(namespace?: string): string;
  /** The tokens with which programs act for a user, or for all users. */
  tokens(user?: number): readonly PluginToken[];
  /** A document of another plugin's area, by the name of the area; undefined if no plugin with that area is loaded. */
  documentOf(area: string, key?: string): unknown;
}

export interface PluginSite {
  readonly url: string;
  /** Address that the operator gave, which `url` replaces while a switch for https or `www.` is on. */
  readonly configuredUrl: string;
  readonly name: string;
  readonly description: string;
  readonly timezone: string;
  /** False before the first commit that configures the site. */
  readonly isConfigured: boolean;
}

export interface PluginUser {
  readonly id: number;
  readonly slug: string;
  readonly displayName: string;
  /** UTC, ISO 8601. */
  readonly registered: string;
  /** Number of published posts. */
  readonly published: number;
}

/** An entry of any visibility: check `status` and `isProtected` before showing it. */
export interface PluginEntry {
  readonly id: number;
  /** Such as `post` or `page`. */
  readonly kind: string;
  readonly status: string;
  readonly slug: string;
  readonly title: string;
  /** User id. */
  readonly author: number;
  /** Whether reading it requires a password. */
  readonly isProtected: boolean;
  /** In the time zone of the site: `2026-03-01T23:15:00`. */
  readonly date: string;
  /** In UTC; null while it has no time of publication. */
  readonly dateGmt: string | null;
  readonly modified: string;
  readonly modifiedGmt: string;
  /** Its featured image, a media item; 0: none. */
  readonly image: number;
  readonly commentStatus: 'open' | 'closed';
  readonly pingStatus: 'open' | 'closed';
  /** Id of the entry that it is below; 0: none. */
  readonly parent: number;
  readonly menuOrder: number;
  /** Null for all kinds but products. */
  readonly product: PluginProduct | null;
}

/** What a product is sold for, and how it sells. */
export interface PluginProduct {
  /** Amounts as decimal text; `''` for none. */
  readonly regularPrice: string;
  readonly salePrice: string;
  readonly sku: string;
  readonly stockStatus: 'instock' | 'outofstock' | 'onbackorder';
  readonly isOnSale: boolean;
  /** 0 to 5. */
  readonly averageRating: number;
  readonly attributes: readonly { readonly name: string; readonly label: string }[];
}

export interface EntryQuery {
  readonly kind: string;
  /** Default: published ones. With `author`: only those of this user. */
  readonly statuses?: readonly { readonly status: string; readonly author?: number }[];
  /** Only these, if they fit; they keep their order if `orderBy` is `include`. */
  readonly include?: readonly number[];
  /** Ignored beside `include`; an empty list excludes nothing. */
  readonly exclude?: readonly number[];
  /** Ids of users. */
  readonly authors?: readonly number[];
  readonly terms?: readonly TermCondition[];
  readonly search?: EntrySearch;
  /** Of products. */
  readonly only?: 'onSale' | 'featured';
  readonly orderBy?: EntryOrder;
  readonly order?: 'asc' | 'desc';
  readonly offset?: number;
  readonly limit: number;
}

export interface TermCondition {
  /** At least one of the terms, or none of them. */
  readonly mode: 'any' | 'none';
  readonly terms: readonly number[];
  /** The same for categories below them. */
  readonly below?: true;
}

export interface EntrySearch {
  /** An empty or very long one finds everything. */
  readonly text: string;
  /** Default: all. */
  readonly columns?: readonly ('title' | 'content' | 'excerpt')[];
  /** Does not find protected entries. */
  readonly skipProtected?: boolean;
}

/** `include` and `relevance` need such a list and a search; `rating` and `sales` are those of products. */
export type EntryOrder =
  | ('date' | 'modified' | 'id' | 'author' | 'title' | 'slug' | 'parent' | 'menu_order')
  | ('include' | 'relevance' | 'rating' | 'sales');

export type PluginTaxonomy = 'category' | 'post_tag';

export interface PluginTerm {
  readonly id: number;
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** Id of the term that it is below; 0: none. */
  readonly parent: number;
  /** Number of published entries with it. */
  readonly published: number;
}

export interface MediaQuery {
  /** Beginning of the content type, such as `image/`. */
  readonly type: string;
  readonly limit: number;
}

export interface PluginMedia {
  readonly id: number;
  /** Content type. */
  readonly type: string;
  readonly slug: string;
  readonly title: string;
  /** User id. */
  readonly author: number;
}

export interface MediaFile extends Dimensions {
  readonly name: string;
  /** Name of the size; null: the image itself, or the one that is shown in its place. */
  readonly size: string | null;
  readonly url: string;
  /** SHA-256 of its bytes. */
  readonly hash: string;
  readonly bytes: number;
}

/** The files of a media item that pages show. */
export interface PluginMediaFiles {
  readonly id: number;
  readonly type: string;
  readonly isPrivate: boolean;
  /** The size in which the image is shown, upright; null if it is no image. */
  readonly full: Dimensions | null;
  /** Below the folder of uploads. */
  readonly path: string;
  /** Empty if it is no image; the first one is the image itself. */
  readonly files: readonly MediaFile[];
}

export interface AssetSlot {
  readonly entry: number;
  readonly kind: AssetKind;
  readonly variant: AssetVariant;
}

export interface PageAsset {
  /** The page that was analysed. */
  readonly url: string;
  /** A style sheet, or addresses of images. */
  readonly data: string | readonly string[];
}

export interface PluginToken {
  readonly id: string;
  /** User id. */
  readonly user: number;
  readonly name: string;
  /** These times are UTC, ISO 8601 with milliseconds. */
  readonly created: string;
  readonly until: string;
  /** Null: never, or unknown. */
  readonly lastUsed: string | null;
  /** Whether it may publish, and change what is published. */
  readonly publishes: boolean;
  /** The release in which what is written with it waits; null: it is carried out at once. */
  readonly release: number | null;
  /** Whether a text is this token; the server itself knows only a digest. */
  readonly is: (token: string) => boolean;
}
