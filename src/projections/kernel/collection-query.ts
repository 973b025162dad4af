/** The data of an entry in the collection index: everything that a collection can be filtered or ordered by. */
export interface EntryFacets {
  /** Dense number in order of creation, never reused; the index into every bitset. */
  readonly ord: number;
  readonly id: number;
  readonly kind: string;
  readonly status: string;
  readonly author: number;
  readonly slug: string;
  /** Local time, `YYYY-MM-DDTHH:MM:SS`. */
  readonly date: string;
  readonly modified: string;
  /** As stored; case and accents are folded by the index. */
  readonly title: string;
  readonly parent: number;
  readonly menuOrder: number;
  readonly values: FacetValues;
  readonly sticky: boolean;
  readonly protected: boolean;
  /** Term ids of all taxonomies; each id is unique. */
  readonly terms: readonly number[];
  readonly file?: string;
  /** Only of goods. */
  readonly goods?: Goods;
}

export type FacetValue = string | number | boolean;
export type FacetValues = Readonly<Record<string, FacetValue>>;

export interface Goods {
  readonly onSale: boolean;
  readonly featured: boolean;
  readonly rating: number;
  readonly sales: number;
}

export type OrderBy =
  | 'date'
  | 'modified'
  | 'id'
  | 'author'
  | 'parent'
  | 'menu_order'
  | 'title'
  | 'slug'
  | 'rating'
  | 'sales'
  | 'include'
  | 'include_slugs'
  | 'relevance';

export type SearchColumn = 'title' | 'content' | 'excerpt';

/** One condition on terms or on the format; `any`: at least one, `all`: each, `none`: none. */
export type TaxonomyFilter =
  | { readonly by: 'term'; readonly mode: 'any' | 'all' | 'none'; readonly terms: readonly number[] }
  | { readonly by: 'format'; readonly formats: readonly string[] };

/** A collection request after validation. Absent members do not filter (interface behaviour, sections 16 to 18). */
export interface CollectionQuery {
  readonly kind: string;
  readonly alsoKinds?: readonly string[];
  /** Entries match if one of these does; `author` restricts it to that author's. */
  readonly statuses: readonly { readonly status: string; readonly author?: number }[];
  /** Takes precedence over `exclude` and `sticky: false`, which are then ignored. An empty list finds nothing. */
  readonly include?: readonly number[];
  /** Never found, regardless of other conditions. */
  readonly without?: readonly number[];
  /** This and the lists below do not filter when they are empty. Ignored beside `sticky: true` as well. */
  readonly exclude?: readonly number[];
  readonly authors?: readonly number[];
  /** Takes precedence over `authors`. */
  readonly notAuthors?: readonly number[];
  /** Strictly later / earlier, local time. */
  readonly after?: string;
  readonly before?: string;
  readonly modifiedAfter?: string;
  readonly modifiedBefore?: string;
  readonly slugs?: readonly string[];
  /** Takes precedence over `notParents`. */
  readonly parents?: readonly number[];
  readonly notParents?: readonly number[];
  /** By name of a field: entries with one of the values. An empty list does not filter. */
  readonly values?: Readonly<Record<string, readonly FacetValue[]>>;
  readonly sticky?: boolean;
  readonly goods?: 'onSale' | 'featured';
  readonly taxonomies?: readonly TaxonomyFilter[];
  readonly relation?: 'AND' | 'OR';
  readonly search?: SearchQuery;
  readonly orderBy: OrderBy;
  readonly order: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
  /**
   * Puts sticky entries first on the first page of a plain list: one without search, `include`, `sticky: true` and required terms or
   * formats.
   */
  readonly stickyFirst?: boolean;
  /** For `stickyFirst` if the offset does not tell. Default: offset is 0. */
  readonly firstPage?: boolean;
}

export interface SearchQuery {
  readonly text: string;
  /** Empty: all three. */
  readonly columns: readonly SearchColumn[];
  readonly exact: boolean;
  readonly skipProtected: boolean;
}

export interface Found {
  readonly ids: readonly number[];
  readonly total: number;
}

export interface EntryTexts {
  readonly title: string;
  readonly content: string;
  readonly excerpt: string;
}
