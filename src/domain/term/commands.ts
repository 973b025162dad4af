import type { Term } from './state.ts';

/** Fields of a term that a request sets; absent members are kept. Texts are already in their stored form. */
export interface TermFields {
  readonly name?: string;
  /** As sent; normalised by the decision. Empty: derived from the name. */
  readonly slug?: string;
  readonly description?: string;
  /** 0: top level. */
  readonly parent?: number;
  /** Of menus: names of existing locations. */
  readonly locations?: readonly string[];
  readonly autoAdd?: boolean;
}

/** What the decision depends on besides the term, as of the position of the decision. */
export interface TermFacts {
  readonly nextTerm: number;
  readonly defaultCategory: number;
  /** The category assigned to posts that lose their last one; 0: none. */
  readonly heir: number;
  readonly term: (id: number) => Term | undefined;
  readonly termBySlug: (slug: string) => Term | undefined;
  readonly termsNamed: (name: string) => readonly Term[];
  /** Whether a term of any taxonomy, other than `except`, has the slug. */
  readonly slugTaken: (slug: string, except: number) => boolean;
  /** What follows a stem and a dash in slugs that are taken in this sense, if it begins with a digit. */
  readonly slugEndings: (stem: string, except: number) => readonly string[];
}
