import type { Site } from '#domain/site/state.ts';
import type { Taxonomy } from '#domain/term/events.ts';
import type { CollectionQuery, Found } from './collection/types.ts';
import type { EntryRow, Texts } from './entries/row.ts';
import type { TermRow } from './terms.ts';
import type { UserRow } from './users.ts';

/** What routes read. Every answer is a function of one of these, of the request and of who asks. */
export interface Model {
  readonly position: number;
  /** The model of the present; itself unless it shows the past. */
  present(): Model;
  site(): Site;
  entry(id: number): EntryRow | undefined;
  /** The long texts as they were written. */
  texts(id: number): Texts | undefined;
  /** Ids of an entry's ancestors, nearest first, itself first of all; ends where the chain does or closes. */
  lineage(id: number): readonly number[];
  /** Whether another entry of the kind has the slug; below one parent only when `parent` is not negative. */
  slugTaken(slug: string, owner: { kind: string; id: number; parent: number }): boolean;
  term(id: number): TermRow | undefined;
  termBySlug(taxonomy: Taxonomy, slug: string): TermRow | undefined;
  terms(taxonomy: Taxonomy): readonly TermRow[];
  user(id: number): UserRow | undefined;
  userByLogin(login: string): UserRow | undefined;
  users(): readonly UserRow[];
  /** Answers a collection; sees what has been committed, also inside a session. */
  find(query: CollectionQuery): Found;
}
