import type { TakenNumbers } from '#domain/kernel/numbering.ts';
import type { TermIds } from './classification.ts';
import type { Details } from './fields.ts';
import type { Part } from './parts.ts';
import type { RevisionTexts } from './texts.ts';
import type { WritableStatus } from './vocabulary.ts';

/** A date as the site's zone and UTC have it. */
export interface Moment {
  readonly local: string;
  readonly gmt: string;
}

/**
 * What a request names of an entry; absent members stay as they are. Texts are already filtered for who sent
 * them, ids already reduced to those that exist (interface behaviour, section 8).
 */
export interface EntryFields extends Partial<Details> {
  readonly title?: string;
  readonly content?: string;
  readonly excerpt?: string;
  readonly footnotes?: string;
  readonly status?: WritableStatus;
  /** As sent; made a proper slug here. */
  readonly slug?: string;
  /** Null: let it float, or now. */
  readonly date?: Moment | null;
  readonly author?: number;
  readonly password?: string;
  readonly sticky?: boolean;
  readonly parent?: number;
  readonly categories?: readonly number[];
  readonly tags?: readonly number[];
  /** In those of other taxonomies that are named; an empty list takes all away. */
  readonly otherTerms?: TermIds;
  /** Members of the kind's own part: those that are named. */
  readonly part?: Partial<Part>;
}

/** What the decision depends on besides the entry itself, all as of the position that is decided upon. */
export interface EntryFacts {
  readonly now: Moment;
  /** UTC, a minute from now: from there on a date lies in the future (interface behaviour, section 10). */
  readonly soon: string;
  readonly nextId: number;
  readonly actor: number;
  readonly mayPublish: boolean;
  /** 0: there is none. */
  readonly defaultCategory: number;
  readonly discussion: Pick<Details, 'commentStatus' | 'pingStatus'>;
  /** Whether another entry of the kind (for pages: below that parent) has the slug. */
  readonly slugTaken: (slug: string, parent: number) => boolean;
  /** Numbers behind a slug that need not be looked up. */
  readonly numbers?: (slug: string, parent: number) => TakenNumbers | undefined;
  readonly userExists: (id: number) => boolean;
  readonly entryExists: (id: number) => boolean;
  readonly isImage: (id: number) => boolean;
  readonly lineage: (id: number) => readonly number[];
  /** Texts of the entry's newest revision, autosaves aside; null when there is none. */
  readonly lastRevision: () => RevisionTexts | null;
}

export interface OwnAutosave {
  readonly id: number;
  readonly texts: RevisionTexts;
}
