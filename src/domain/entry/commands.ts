import type { TermIds } from './classification.ts';
import type { Details } from './fields.ts';
import type { Part } from './parts.ts';
import type { RevisionTexts } from './texts.ts';
import type { WritableStatus } from './vocabulary.ts';

/** A date in the site's time zone and in UTC. */
export interface EntryMoment {
  readonly local: string;
  readonly gmt: string;
}

/**
 * Fields of an entry that a request sets; absent members are kept. Texts are already filtered for their sender, ids reduced to existing
 * ones (interface behaviour, section 8).
 */
export interface EntryFields extends Partial<Details> {
  readonly title?: string;
  readonly content?: string;
  readonly excerpt?: string;
  readonly footnotes?: string;
  readonly status?: WritableStatus;
  /** As sent; normalised by the decision. */
  readonly slug?: string;
  /** Null: the date floats, or is now. `isGmt`: sent in UTC, which tells the two hours apart that have the same local time. */
  readonly date?: (EntryMoment & { readonly isGmt?: true }) | null | undefined;
  readonly author?: number;
  readonly password?: string;
  readonly sticky?: boolean;
  readonly parent?: number;
  readonly categories?: readonly number[];
  readonly tags?: readonly number[];
  /** Terms of the named other taxonomies; an empty list removes all. */
  readonly otherTerms?: TermIds;
  /** The named members of the kind's own part. */
  readonly part?: Partial<Part>;
}

/** What the decision depends on besides the entry, as of the position of the decision. */
export interface EntryFacts {
  readonly now: EntryMoment;
  /** UTC, a minute from now: dates from then on count as future (interface behaviour, section 10). */
  readonly soon: string;
  readonly nextId: number;
  readonly actor: number;
  readonly mayPublish: boolean;
  /** 0: none. */
  readonly defaultCategory: number;
  readonly discussion: Pick<Details, 'commentStatus' | 'pingStatus'>;
  /** Whether another entry of the kind (for pages: below that parent) has the slug. */
  readonly slugTaken: (slug: string, parent: number) => boolean;
  /** Numbers known to be taken for a slug, which need no lookup. */
  readonly slugEndings: (stem: string, parent: number) => readonly string[];
  readonly userExists: (id: number) => boolean;
  readonly entryExists: (id: number) => boolean;
  readonly isImage: (id: number) => boolean;
  readonly lineage: (id: number) => readonly number[];
  /** Texts of the newest revision, not counting autosaves; null: no revision. */
  readonly lastRevision: () => RevisionTexts | null;
}

export interface OwnAutosave {
  readonly id: number;
  readonly texts: RevisionTexts;
}
