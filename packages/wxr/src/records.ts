/**
 * A site as a stream of records, whatever it is read from or written to. Ids are those of the source, and mean nothing elsewhere. What comes
 * first in a stream: the site, then authors, then terms. A revision or comment follows the item that it belongs to, or comes later; items
 * come in any order, also children before their parents.
 */

/** Local time of the source or UTC, as the name of the field says: YYYY-MM-DDTHH:MM:SS. Null: none, as for a draft without a date. */
export type SourceMoment = string | null;

/** Null for a text in the shape of a moment that no calendar has. */
export function realMoment(text: string | undefined): SourceMoment {
  const time = Date.parse(`${text}Z`);
  return text !== undefined && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : null;
}

export type SourceRecord =
  | SiteRecord
  | AuthorRecord
  | TermRecord
  | ItemRecord
  | RevisionRecord
  | CommentRecord
  | TemplateRecord
  | StylesRecord;

/** Something that a source calls by its number, by its name, or by both. */
export interface SourceRef {
  /** Absent: unknown. */
  readonly id?: number;
  /** Slug of a term, login of an author; absent: unknown. */
  readonly name?: string;
}

export interface SiteRecord {
  readonly kind: 'site';
  /** What wrote the source, in its own words; '': unknown. */
  readonly generator: string;
  readonly title: string;
  readonly description: string;
  /** BCP 47, such as `en-US`; '': unknown. */
  readonly language: string;
  /** Address of the front page, without a slash at its end. */
  readonly url: string;
  /** Address below which the files and the interface are, without a slash at its end. */
  readonly baseUrl: string;
  /** IANA name or an offset such as `+02:00`; '': unknown. */
  readonly timezone: string;
  /** Further settings by the names of the interface (`posts_per_page`, `show_on_front`, `page_on_front`, …). */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Stands for the address of a site of which a source says none. */
export const unknownSite = 'https://folder.invalid';

export interface AuthorRecord {
  readonly kind: 'author';
  /** 0: the source has none. */
  readonly id: number;
  readonly login: string;
  /** '': unknown. */
  readonly email: string;
  readonly displayName: string;
  readonly firstName: string;
  readonly lastName: string;
  /** '': as derived from the login. */
  readonly slug: string;
  readonly url: string;
  readonly description: string;
  /** Empty: unknown. */
  readonly roles: readonly string[];
}

export interface TermRecord {
  readonly kind: 'term';
  /** 0: the source has none. */
  readonly id: number;
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** Null: at the top. */
  readonly parent: SourceRef | null;
  readonly meta: readonly SourceMeta[];
}

/** A key and its value as the source stores it: a text, often one that a program serialised. A key may come several times. */
export interface SourceMeta {
  readonly key: string;
  readonly value: string;
}

/** A post, page, attachment, item of a menu, synced pattern or whatever else the source has. */
export interface ItemRecord {
  readonly kind: 'item';
  /** 0: the source has none; then `link` tells items apart. */
  readonly id: number;
  /** `post`, `page`, `attachment`, `nav_menu_item`, `wp_block`, `wp_navigation`, …, in the words of the source. */
  readonly type: string;
  /** `publish`, `draft`, `pending`, `private`, `future`, `trash`, `inherit`, … */
  readonly status: string;
  readonly slug: string;
  readonly title: string;
  readonly content: string;
  readonly excerpt: string;
  /** JSON of the footnotes of the content; '': none. */
  readonly footnotes: string;
  /** The texts are what the source shows, since it does not give away what was written. */
  readonly isRendered?: true;
  /** Its address at the source; '': unknown. */
  readonly link: string;
  readonly guid: string;
  readonly author: SourceRef;
  readonly date: SourceMoment;
  readonly dateGmt: SourceMoment;
  /** Null: the source does not say. */
  readonly modified: SourceMoment;
  readonly modifiedGmt: SourceMoment;
  /** Id of the item above it; 0: none. */
  readonly parent: number;
  readonly menuOrder: number;
  readonly commentStatus: string;
  readonly pingStatus: string;
  readonly password: string;
  readonly sticky: boolean;
  /** '': the usual one. */
  readonly template: string;
  /** `aside`, `gallery`, …; '': standard. */
  readonly format: string;
  /** Without the format. */
  readonly terms: readonly ItemTerm[];
  /** Id of the featured image; 0: none. */
  readonly featured: number;
  /** Null: it is no attachment. */
  readonly file: SourceFile | null;
  /** Null: it is no item of a menu. */
  readonly menuItem: SourceMenuItem | null;
  /** Of a synced pattern: `unsynced`, `partial`; '': fully synced, or no pattern. */
  readonly syncStatus: string;
  /** All meta that no other field says, in order. */
  readonly meta: readonly SourceMeta[];
}

export interface ItemTerm extends SourceRef {
  readonly taxonomy: string;
  /** Its name in words; '': unknown. */
  readonly label: string;
}

export interface SourceFile {
  /** Its address; '': unknown. */
  readonly url: string;
  /** Path below the uploads, such as `2019/03/photo.jpg`; '': unknown. */
  readonly path: string;
  /** MIME type; '': unknown. */
  readonly type: string;
  readonly altText: string;
  /** 0: unknown. */
  readonly width: number;
  readonly height: number;
  /** Name of the upload where a smaller one is shown in its place (`photo-scaled.jpg` at `path`); '': the file at `path` is the upload. */
  readonly original: string;
  readonly sizes: readonly SourceSize[];
}

export interface SourceSize {
  readonly name: string;
  /** Last part of its address. */
  readonly file: string;
  readonly width: number;
  readonly height: number;
}

export interface SourceMenuItem {
  /** `taxonomy`, `post_type`, `post_type_archive` or `custom`. */
  readonly type: string;
  readonly object: string;
  readonly objectId: number;
  /** Id of the item above it in the menu; 0: none. */
  readonly parent: number;
  readonly url: string;
  readonly target: string;
  readonly classes: readonly string[];
  readonly xfn: readonly string[];
}

/** A revision or autosave of an item. */
export interface RevisionRecord {
  readonly kind: 'revision';
  readonly id: number;
  /** Id of the item. */
  readonly of: number;
  readonly isAutosave: boolean;
  readonly author: SourceRef;
  readonly date: SourceMoment;
  readonly dateGmt: SourceMoment;
  readonly title: string;
  readonly content: string;
  readonly excerpt: string;
  readonly footnotes: string;
}

export interface CommentRecord {
  readonly kind: 'comment';
  readonly id: number;
  /** Id of the item that it is on. */
  readonly of: number;
  /** `comment`, `note`, `pingback`, `trackback`, … */
  readonly type: string;
  /** `approved`, `hold`, `spam`, `trash`, `post-trashed`. */
  readonly status: string;
  /** Id of the comment that it answers; 0: none. */
  readonly parent: number;
  /** Name and addresses of who wrote it; '': unknown. */
  readonly name: string;
  readonly email: string;
  readonly url: string;
  readonly ip: string;
  readonly agent: string;
  /** The account that wrote it; an empty object: none. */
  readonly author: SourceRef;
  readonly date: SourceMoment;
  readonly dateGmt: SourceMoment;
  readonly content: string;
  readonly meta: readonly SourceMeta[];
}

/** A template, or a part of one, that somebody changed; what its theme has anyway is not among the records. */
export interface TemplateRecord {
  readonly kind: 'template';
  readonly id: number;
  /** `wp_template` or `wp_template_part`. */
  readonly type: string;
  readonly theme: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly content: string;
  /** Of a part: `header`, `footer`, …; '': none. */
  readonly area: string;
}

/** Styles of the whole site that somebody changed. */
export interface StylesRecord {
  readonly kind: 'styles';
  readonly id: number;
  readonly theme: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly styles: Readonly<Record<string, unknown>>;
}

/** Where something stands in a source: part of an export and line in it, from 1; a file of a folder; an address of a live site. */
export interface SourcePlace {
  /** Name of the file, or the address. */
  readonly file: string;
  /** From 1; 0: none. */
  readonly line: number;
}

/** What was repaired so that something could be read, or could not be read and was left out, or left as it is. */
export interface SourceNotice {
  readonly what: 'repaired' | 'skipped';
  /** A stable code, such as `control_character`. */
  readonly code: string;
  /** What, in words: the end of the sentence `FILE:LINE: …`. */
  readonly message: string;
  readonly place: SourcePlace;
}

/** What a source gives, in order. */
export type SourcePart =
  | { readonly record: SourceRecord; readonly place: SourcePlace }
  | { readonly notice: SourceNotice };

/** A source, which can be read several times. */
export interface SiteSource {
  /** What it is called in reports: the address, or the name of the file or folder. */
  readonly name: string;
  readonly form: 'site' | 'wxr' | 'folder';
  /** False: the ids in its records are made up for this reading, though the same in each. */
  readonly hasIds?: false;
  /** Amount of all that there is to read, in `unit`; known after `open`. 0: unknown. */
  readonly total: number;
  readonly unit: string;
  /** Reads it from the beginning. */
  read(how?: ReadHow): AsyncIterable<SourcePart>;
  /** Resolves when something has changed since it was opened, or when that many seconds have passed. Absent: it does not tell. */
  changed?(seconds: number): Promise<void>;
  /** How much of `total` has been read. */
  done(): number;
  /**
   * The bytes of a file that is not reached by its address: one in a folder beside the source. Null: it has to be fetched from its address.
   * Throws `SourceFault` if it should be there and is not.
   */
  file(file: SourceFile): Promise<AsyncIterable<Buffer> | null>;
}

export interface ReadHow {
  /** What tells and connects things is enough, so texts and revisions may be left out where that is quicker. */
  readonly heads?: boolean;
  /** Whether something was read before and need not be given again. */
  readonly isKnown?: (what: KnownThing) => boolean;
  /** Whether records of a kind, and items of a type, are wanted; the others need not be given. `type`: '' of what is no item. */
  readonly wants?: (kind: SourceRecord['kind'], type: string) => boolean;
}

/** Something with its kind, id and UTC time of the last save. */
export interface KnownThing {
  readonly kind: SourceRecord['kind'];
  readonly id: number;
  readonly modifiedGmt: SourceMoment;
}

/** A source cannot be read at all, or no further: what is wrong, and what to do. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault';
  /** A stable code, such as `not_an_export`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
