import type { TakenNumbers } from '#domain/kernel/numbering.ts';
import type { Term } from './state.ts';

/** What a request names of a term; absent members stay as they are. Texts are already in the form in which they are stored. */
export interface TermFields {
  readonly name?: string;
  /** As sent; made a proper slug here. Empty: made from the name. */
  readonly slug?: string;
  readonly description?: string;
  /** 0: top level. */
  readonly parent?: number;
  /** Of menus: names of places that exist. */
  readonly locations?: readonly string[];
  readonly autoAdd?: boolean;
}

/** What the decision depends on besides the term itself, all as of the position that is decided upon. */
export interface TermFacts {
  readonly nextTerm: number;
  readonly defaultCategory: number;
  /** The category that posts get that are left without one; 0: none. */
  readonly heir: number;
  readonly term: (id: number) => Term | undefined;
  readonly termBySlug: (slug: string) => Term | undefined;
  readonly termsNamed: (name: string) => readonly Term[];
  /** Whether a term of either taxonomy, other than `except`, has the slug. */
  readonly slugTaken: (slug: string, except: number) => boolean;
  /** Numbers behind a slug that need not be looked up. */
  readonly numbers?: (slug: string, except: number) => TakenNumbers | undefined;
}
