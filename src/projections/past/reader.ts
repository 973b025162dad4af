import type { DatabaseSync } from 'node:sqlite';
import type { Site } from '#domain/site/state.ts';
import type { Taxonomy } from '#domain/term/events.ts';
import type { EventStore } from '#eventstore/port.ts';
import type { CollectionQuery, Found } from '../kernel/collection-query.ts';
import type { Following, Immediate, Projection, Tables } from '../kernel/projection.ts';
import { standAt } from '../kernel/versions.ts';
import type { PresentModel, ShownSite } from '../reading/model.ts';
import { Reader } from '../reading/reader.ts';
import type { NamedTerm, TermRow } from '../terms/definition.ts';

/** Answers questions across items: which existed, and how many. */
export interface Finder {
  find(query: CollectionQuery): Found;
  /** Number of published entries with a term. */
  published(term: number): number;
}

export interface PastReaderParts {
  readonly position: number;
  /** A connection that shows the past, which others move as well. */
  readonly db: DatabaseSync;
  readonly tables: Tables;
  readonly log: Pick<EventStore, 'read' | 'head'>;
  /** Null: there is nothing later. */
  readonly now: Reader | null;
  readonly finder: Finder;
}

/**
 * The site as of a position: the same reader, on a connection that shows the tables as they were. Users have no counts of published
 * entries.
 */
export class PastReader extends Reader {
  readonly #db: DatabaseSync;
  readonly #now: Reader | null;
  readonly #finder: Finder;

  constructor({ position, db, tables, log, now, finder }: PastReaderParts) {
    super({ db, tables, log, find: (query) => finder.find(query) });
    this.#db = db;
    this.#now = now;
    this.#finder = finder;
    this.position = position;
    if (now !== null) this.earlier = (earlier) => now.earlier(earlier);
  }

  override present(): PresentModel {
    return this.#now ?? this;
  }

  override placed(site: Site): ShownSite {
    return this.#now === null ? super.placed(site) : this.#now.placed(site);
  }

  override term(id: number): TermRow | undefined {
    const term = super.term(id);
    return term && this.#counted(term);
  }

  override namedTerm(id: number): NamedTerm | undefined {
    return super.term(id);
  }

  override termBySlug(taxonomy: Taxonomy, slug: string): TermRow | undefined {
    const term = super.termBySlug(taxonomy, slug);
    return term && this.#counted(term);
  }

  override terms(taxonomy: Taxonomy): readonly TermRow[] {
    return super.terms(taxonomy).map((term) => this.#counted(term));
  }

  override following<T>(projection: Following<T>): T | Promise<T> {
    const current = this.#now?.following(projection);
    return current instanceof Promise ? current.then(() => this.on(projection)) : this.on(projection);
  }

  override of<T>(projection: Immediate<T>): T {
    return this.on(projection);
  }

  protected override on<T>(projection: Projection<T>): T {
    standAt(this.#db, this.position);
    return super.on(projection);
  }

  // Terms do not have it: it changes with every entry.
  #counted(term: TermRow): TermRow {
    const published = () => this.#finder.published(term.id);
    return {
      ...term,
      get published() {
        return published();
      },
    };
  }
}
