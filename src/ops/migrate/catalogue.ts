import { createHash } from 'node:crypto';
import { entryKinds } from '#domain/entry/kinds.ts';
import { allTermKinds } from '#domain/term/kinds.ts';
import { slugify } from '#text/slug.ts';
import {
  type AuthorRecord,
  type ItemRecord,
  type ItemTerm,
  type SiteRecord,
  type SiteSource,
  type SourceFile,
  type SourceNotice,
  type SourceRecord,
  type TermRecord,
  unknownSite,
} from '#wxr/records.ts';
import { ownText } from '#wxr/wxr-elements.ts';
import type { Series } from './target.ts';

/** What is to be known of all items before the first one is imported, so that texts can refer to later ones. */
export interface ItemHead {
  readonly type: string;
  readonly status: string;
  readonly slug: string;
  readonly parent: number;
  /** Path and query of its address; '': unknown. */
  readonly path: string;
  /** Of a file below the uploads; '': none. */
  readonly file: string;
  /** When it was last saved, UTC; '': unknown. */
  readonly modifiedGmt: string;
}

/** A source as its first reading shows it. */
export interface Catalogue {
  readonly site: SiteRecord;
  /** What identifies the site, however it is read. */
  readonly origin: string;
  /** By login, or `#id` if that is all that is known. */
  readonly authors: ReadonlyMap<string, AuthorRecord>;
  /** By taxonomy and slug, as `termKeyOf` says. */
  readonly terms: ReadonlyMap<string, TermRecord>;
  readonly items: ReadonlyMap<number, ItemHead>;
  readonly highest: Readonly<Record<Series, number>>;
  /** Number of each kind of record; items by type. */
  readonly counts: ReadonlyMap<string, number>;
  readonly notices: readonly SourceNotice[];
  /** Some of the files, from which the size of all is estimated. */
  readonly samples: readonly SourceFile[];
}

/** Files that are looked at for an estimate. */
const mostSamples = 8;
/** Notices that are kept; the others are only counted. */
const mostNotices = 10_000;

const noSite: SiteRecord = {
  kind: 'site',
  generator: '',
  title: '',
  description: '',
  language: '',
  url: '',
  baseUrl: '',
  timezone: '',
  settings: {},
};

/** Reads a source for the first time. `onPart` is called after each part. */
export async function readCatalogue(source: SiteSource, onPart: () => Promise<void>): Promise<Catalogue> {
  const making = new CatalogueMaking(source.hasIds !== false);
  for await (const part of source.read({ heads: true })) {
    if ('notice' in part) making.notice(part.notice);
    else making.take(part.record);
    await onPart();
  }
  return making.end(source.name);
}

class CatalogueMaking {
  readonly #hasIds: boolean;
  #site = noSite;
  readonly #authors = new Map<string, AuthorRecord>();
  readonly #terms = new Map<string, TermRecord>();
  readonly #items = new Map<number, ItemHead>();
  readonly #highest = { item: 0, term: 0, user: 0, comment: 0 };
  readonly #counts = new Map<string, number>();
  readonly #notices: SourceNotice[] = [];
  readonly #samples: SourceFile[] = [];
  readonly #words = new Map<string, string>();

  constructor(hasIds: boolean) {
    this.#hasIds = hasIds;
  }

  notice(notice: SourceNotice): void {
    this.#count(notice.what);
    if (this.#notices.length < mostNotices) this.#notices.push(notice);
  }

  take(record: SourceRecord): void {
    this.#count(record.kind === 'item' ? record.type : record.kind);
    switch (record.kind) {
      case 'site':
        this.#site = record;
        break;
      case 'author':
        this.#rise('user', record.id);
        this.#authors.set(authorKey({ id: record.id, name: record.login }), record);
        break;
      case 'term':
        this.#term(record);
        break;
      case 'item':
        this.#item(record);
        break;
      case 'revision':
        this.#rise('item', record.id);
        break;
      case 'comment':
        this.#rise('comment', record.id);
        if (record.author.id !== undefined || record.author.name !== undefined) this.#mention(record.author);
        break;
      default:
    }
  }

  end(name: string): Catalogue {
    this.#breakCycles();
    const url = URL.parse(this.#site.url || this.#site.baseUrl);
    const origin = url === null || url.origin === unknownSite ? name : `${url.host}${url.pathname}`.replace(/\/$/, '');
    return {
      site: this.#site,
      origin,
      authors: this.#authors,
      terms: this.#terms,
      items: this.#items,
      highest: this.#highest,
      counts: this.#counts,
      notices: this.#notices,
      samples: this.#samples,
    };
  }

  #term(given: TermRecord): void {
    const slug = given.slug || slugify(given.name) || String(given.id);
    const record = { ...given, slug };
    this.#rise('term', record.id);
    this.#terms.set(termKeyOf(record), record);
  }

  #item(record: ItemRecord): void {
    const { id, type, status, slug, link, author, file, terms } = record;
    this.#rise('item', id);
    const path = this.#pathOf(URL.parse(link), slug);
    const parent = record.menuItem?.parent ?? record.parent;
    const head = { type: this.#word(type), status: this.#word(status), slug, parent, path: ownText(path) };
    const modifiedGmt = ownText(record.modifiedGmt ?? '');
    this.#items.set(id, { ...head, modifiedGmt, file: file?.path ?? '' });
    if (file !== null) this.#sample(file);
    this.#mention(author);
    for (const term of terms) this.#use(term);
  }

  /** The same text each time for a word of which a site has few. */
  #word(text: string): string {
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    this.#words.set(text, text);
    return text;
  }

  /** The front page is known by the address that it would have otherwise. */
  #pathOf(url: URL | null, slug: string): string {
    if (url === null) return '';
    const root = (URL.parse(this.#site.url)?.pathname ?? '/').replace(/\/$/, '');
    const isFront = url.pathname.replace(/\/$/, '') === root && url.search === '';
    return isFront ? `${root}/${slug}/` : url.pathname + url.search;
  }

  /** Keeps ever fewer of them, spread over all. */
  #sample(file: SourceFile): void {
    const seen = this.#counts.get('attachment') ?? 1;
    if (this.#samples.length < mostSamples) this.#samples.push(file);
    else if (Number.isInteger(Math.log2(seen))) this.#samples[Math.log2(seen) % mostSamples] = file;
  }

  /** An account that items name, and that the source does not list. */
  #mention({ id, name }: { readonly id?: number; readonly name?: string }): void {
    if (name === undefined || name === '' || this.#authors.has(name)) return;
    const own = { login: name, email: '', displayName: name, firstName: '', lastName: '' };
    const more = { slug: '', url: '', description: '', roles: [] };
    this.#rise('user', id ?? 0);
    this.#authors.set(name, { kind: 'author', id: id ?? 0, ...own, ...more });
  }

  /** A term that items name, and that the source does not list. */
  #use({ taxonomy, id, name: slug, label }: ItemTerm): void {
    if (slug === undefined) return;
    const key = termKeyOf({ taxonomy, slug });
    if (this.#terms.has(key)) return;
    const rest = { description: '', parent: null, meta: [] };
    this.#terms.set(key, { kind: 'term', id: id ?? 0, taxonomy, slug, name: label || slug, ...rest });
  }

  #count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  /** Numbers that a source makes up are no ids that anybody knows. */
  #rise(of: Series, id: number): void {
    if (this.#hasIds && id > this.#highest[of] && id <= HIGHEST) this.#highest[of] = id;
  }

  /** What is above itself comes without a parent. */
  #breakCycles(): void {
    const above = (id: number) => this.#items.get(id)?.parent ?? 0;
    for (const id of inCycles(this.#items.keys(), above)) {
      const head = this.#items.get(id);
      if (head !== undefined) this.#items.set(id, { ...head, parent: 0 });
      this.notice(cycleNotice(`item ${id}`));
    }
    const keyAbove = (key: string) => {
      const { taxonomy = '', parent } = this.#terms.get(key) ?? {};
      return parent?.name === undefined ? '' : termKeyOf({ taxonomy, slug: parent.name });
    };
    for (const key of inCycles(this.#terms.keys(), keyAbove)) {
      const term = this.#terms.get(key);
      if (term !== undefined) this.#terms.set(key, { ...term, parent: null });
      this.notice(cycleNotice(`term ${key}`));
    }
  }
}

/** Ids above this one are no counters: whoever came after them would have ids that no program reads. */
const HIGHEST = 2 ** 40;

function cycleNotice(what: string): SourceNotice {
  const message = `${what} is above itself: it comes without a parent`;
  return { what: 'repaired', code: 'parent_cycle', message, place: { file: '', line: 0 } };
}

/** One of each circle of things that are above each other. `above`: what is above one; what is not among all ends. */
function inCycles<K>(all: Iterable<K>, above: (one: K) => K): K[] {
  const keys = new Set(all);
  const done = new Set<K>();
  const found: K[] = [];
  for (const key of keys) {
    const trail = new Set<K>();
    for (let at = key; keys.has(at) && !done.has(at); at = above(at)) {
      if (trail.has(at)) {
        found.push(at);
        break;
      }
      trail.add(at);
    }
    for (const one of trail) done.add(one);
  }
  return found;
}

export function termKeyOf({ taxonomy, slug }: Pick<TermRecord, 'taxonomy' | 'slug'>): string {
  return `${taxonomy} ${slug}`;
}

export function authorKey({ id, name }: { readonly id?: number; readonly name?: string }): string {
  return name || `#${id ?? 0}`;
}

/** What an account is called among what was imported: its login is its own, and is erased with it. */
export function authorItemKey(key: string): string {
  return `author ${createHash('sha256').update(key).digest('hex')}`;
}

const kindNames = new Set([...entryKinds.map(({ name }) => name), 'attachment']);
const taxonomyNames: ReadonlySet<string> = new Set(allTermKinds.map(({ name }) => name));

/** Whether this store has items of a type. */
export function isKnownType(type: string): boolean {
  return kindNames.has(type);
}

export function isKnownTaxonomy(taxonomy: string): boolean {
  return taxonomyNames.has(taxonomy);
}
