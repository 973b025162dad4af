import { kindOf } from '#domain/entry/kinds.ts';
import type { SourceRef } from '#wxr/records.ts';
import { mapReferences, type ReferenceMap } from '#wxr/references.ts';
import { authorItemKey, authorKey, type Catalogue, isKnownTaxonomy, isKnownType, termKeyOf } from './catalogue.ts';
import type { KnownItem, MigrationTarget, Series } from './target.ts';

/** A file that was imported: where it is now, below the uploads, and its smaller sizes as `300x200`. */
export interface ImportedFile {
  readonly path: string;
  readonly sizes: readonly string[];
}

export interface PlacesParts {
  readonly catalogue: Catalogue;
  readonly target: MigrationTarget;
  /** Ids that were kept for this source: of its earlier migrations, and of this one. */
  readonly kept: readonly Readonly<Record<Series, { readonly from: number; readonly to: number }>>[];
  /** First id that is for what cannot have its own. */
  readonly extra: Readonly<Record<Series, number>>;
  /** By login at the source: login here. `*` is for all others. */
  readonly authors: ReadonlyMap<string, string>;
}

const UPLOADS = /\/(?:uploads|files)\/(.+)$/;
const VARIANT = /^(.*)-(\d+x\d+)(\.[a-z0-9]+)$/i;
const ENLARGED = /-(?:scaled|rotated)(\.[a-z0-9]+)$/i;
const PLAIN_LINK = /^(\?(?:p|page_id|attachment_id)=)(\d{1,15})$/;

/** Where everything of a source is at the site that it goes to: ids, slugs, addresses. */
export class SourcePlaces {
  readonly #parts: PlacesParts;
  readonly #known = new Map<string, KnownItem>();
  /** Ids in kept ranges that went to what could not have its own. */
  readonly #lent = {
    item: new Set<number>(),
    term: new Set<number>(),
    user: new Set<number>(),
    comment: new Set<number>(),
  };
  readonly #given = new Map<string, number>();
  readonly #extra: Record<Series, number>;
  readonly #slugs = new Map<number, string>();
  readonly #files = new Map<string, ImportedFile>();
  readonly #byPath = new Map<string, number>();
  readonly #accounts = new Map<string, number>();
  readonly #terms: ReadonlyMap<string, number>;
  readonly #termOfId = new Map<number, string>();
  readonly #authorOfId = new Map<number, string>();

  constructor(parts: PlacesParts) {
    const { catalogue, target, extra } = parts;
    this.#parts = parts;
    this.#extra = { ...extra };
    for (const one of target.known) {
      this.#known.set(one.key, one);
      const of = seriesOf(one.area);
      if (of !== null && !one.key.endsWith(` ${one.id}`)) this.#lent[of].add(one.id);
    }
    this.#terms = new Map(target.terms.map(({ id, ...term }) => [termKeyOf(term), id]));
    for (const { id, login, email } of target.users) {
      this.#accounts.set(login.toLowerCase(), id);
      if (email !== '') this.#accounts.set(email.toLowerCase(), id);
    }
    for (const [key, { id }] of catalogue.terms) if (id > 0) this.#termOfId.set(id, key);
    for (const [key, { id }] of catalogue.authors) if (id > 0) this.#authorOfId.set(id, key);
    for (const [id, { path }] of catalogue.items)
      if (path !== '' && !this.#byPath.has(path)) this.#byPath.set(path, id);
  }

  known(key: string): KnownItem | undefined {
    return this.#known.get(key);
  }

  /** The id that an item of the source has here; 0: it is not among what comes. */
  item(id: number): number {
    const head = this.#parts.catalogue.items.get(id);
    if (head === undefined || !isKnownType(head.type)) return 0;
    return this.#idOf('item', itemKey(id), id);
  }

  /** The id of what is above an item, which is never below it; 0: nothing. */
  above(id: number): number {
    const parent = this.#parts.catalogue.items.get(id)?.parent ?? 0;
    return parent === 0 ? 0 : this.item(parent);
  }

  /** The id of an account; 0: unknown. */
  user(ref: SourceRef): number {
    const key = ref.name || (this.#authorOfId.get(ref.id ?? 0) ?? authorKey(ref));
    const author = this.#parts.catalogue.authors.get(key);
    if (author === undefined) return this.#accounts.get((this.#parts.authors.get('*') ?? '').toLowerCase()) ?? 0;
    return this.account(key) ?? this.#idOf('user', authorItemKey(key), author.id);
  }

  /** The account here that an author of the source already has; undefined: one is made. */
  account(key: string): number | undefined {
    const { catalogue, authors } = this.#parts;
    const email = catalogue.authors.get(key)?.email ?? '';
    const wanted = authors.get(key) ?? authors.get('*') ?? '';
    if (wanted !== '') return this.#accounts.get(wanted.toLowerCase());
    if (this.#known.has(authorItemKey(key))) return undefined;
    return (
      this.#accounts.get(key.toLowerCase()) ?? (email === '' ? undefined : this.#accounts.get(email.toLowerCase()))
    );
  }

  /** The id of a term of the source, by its id there or its slug; 0: it is not among what comes. */
  term(taxonomy: string, ref: SourceRef): number {
    const key = ref.name === undefined ? this.#termOfId.get(ref.id ?? 0) : termKeyOf({ taxonomy, slug: ref.name });
    const term = key === undefined ? undefined : this.#parts.catalogue.terms.get(key);
    if (key === undefined || term === undefined || !isKnownTaxonomy(term.taxonomy)) return 0;
    return this.standingTerm(key) ?? this.#idOf('term', `term ${key}`, term.id);
  }

  /** The term here that has the name of one of the source already; undefined: one is made. */
  standingTerm(key: string): number | undefined {
    return this.#known.has(`term ${key}`) ? undefined : this.#terms.get(key);
  }

  /** The id that a comment has or gets here; 0: the next free one. */
  comment(id: number): number {
    const key = `comment ${id}`;
    return this.#known.get(key)?.id || (this.#given.get(key) ?? (this.#isKept('comment', id) ? id : 0));
  }

  /** Notes the id that something got here. */
  give(key: string, id: number): void {
    // Most have their own, of which nothing needs to be noted.
    const [kind = '', own = ''] = key.split(' ');
    const isOwn = (kind === 'item' || kind === 'comment') && Number(own) === id && this.#isKept(kind, id);
    if (!isOwn) this.#given.set(key, id);
  }

  /** Number of ids of each series that were not the own ones of what has them. */
  get extraUsed(): Readonly<Record<Series, number>> {
    const { extra } = this.#parts;
    const used = (of: Series) => this.#extra[of] - extra[of];
    return { item: used('item'), term: used('term'), user: used('user'), comment: used('comment') };
  }

  /** The id that a revision can keep; 0: another one. */
  revision(id: number): number {
    return this.#isKept('item', id) ? id : 0;
  }

  /** Notes the slug that an item of the source has to have here, where that is not its own. */
  rename(id: number, slug: string): void {
    this.#slugs.set(id, slug);
  }

  slug(id: number): string {
    return this.#slugs.get(id) ?? this.#parts.catalogue.items.get(id)?.slug ?? '';
  }

  /** Notes where a file of the source is now. `path`: below the uploads of the source. */
  moveFile(path: string, file: ImportedFile): void {
    this.#files.set(path, file);
  }

  file(path: string): ImportedFile | undefined {
    return this.#files.get(path);
  }

  /** Changes the addresses and ids in a text. `base`: the address of what the text belongs to. */
  text(text: string, base: string): string {
    return text === '' ? text : mapReferences(text, this.#references(), base);
  }

  /** A web address that stands by itself, such as that of an item of a menu. */
  address(address: string): string {
    return this.text(address, '');
  }

  /** The path and query at which the source shows an item, if this site shows it at another; undefined: at the same, or nowhere. */
  former(id: number): string | undefined {
    const { items } = this.#parts.catalogue;
    const path = items.get(id)?.path ?? '';
    if (path === '' || path.includes('?')) return undefined;
    const here = this.#pathOf(id);
    return here === null || here === path ? undefined : path;
  }

  /** The path of a file at the source, if nothing here says where files that were at such paths are now. */
  formerFile(address: string): string | undefined {
    const url = URL.parse(address);
    const isOwn = url !== null && this.#references().hosts.includes(url.host);
    return isOwn && !UPLOADS.test(url.pathname) ? url.pathname : undefined;
  }

  #references(): ReferenceMap {
    this.#made ??= this.#makeReferences();
    return this.#made;
  }

  #made: ReferenceMap | undefined;

  #makeReferences(): ReferenceMap {
    const { catalogue, target } = this.#parts;
    const { url, baseUrl } = catalogue.site;
    const hosts = [url, baseUrl].flatMap((one) => URL.parse(one)?.host.replace(/^www\./, '') ?? []);
    const moved = this.hasOtherIds();
    const own = target.site.url;
    const roots = [url, baseUrl].flatMap((one) => URL.parse(one)?.pathname.replace(/\/$/, '') ?? []);
    const address = (found: URL) => this.#moved(found, { own, roots });
    return {
      hosts: [...new Set(hosts.flatMap((host) => [host, `www.${host}`]))],
      ...(hosts.length === 0 ? {} : { address }),
      ...(moved ? { item: (id) => this.item(id) || id, user: (id) => this.user({ id }) || id } : {}),
      ...(moved ? { term: (id) => this.term('', { id }) || id } : {}),
    };
  }

  /** Whether anything of the source has another id here. */
  hasOtherIds(): boolean {
    const { catalogue } = this.#parts;
    for (const [id, { type }] of catalogue.items) if (isKnownType(type) && this.item(id) !== id) return true;
    for (const { id, taxonomy, slug } of catalogue.terms.values()) {
      if (id > 0 && isKnownTaxonomy(taxonomy) && this.term(taxonomy, { name: slug }) !== id) return true;
    }
    for (const [key, { id }] of catalogue.authors) if (id > 0 && this.user({ name: key }) !== id) return true;
    return false;
  }

  #moved(found: URL, { own, roots }: { readonly own: string; readonly roots: readonly string[] }): string | undefined {
    const [plain, query = '', number = ''] = PLAIN_LINK.exec(found.search) ?? [];
    if (plain !== undefined) {
      const here = this.item(Number(number));
      return here === 0 ? undefined : `${own}/${query}${here}`;
    }
    const named = this.#byPath.get(found.pathname);
    const path = named === undefined ? null : this.#pathOf(named);
    if (path !== null) return own + path;
    const root = roots.find((one) => `${found.pathname}/`.startsWith(`${one}/`));
    const below = root === undefined ? '' : found.pathname.slice(root.length + 1);
    // Folders have their files anywhere.
    const file = this.#files.get(decodedPath(below));
    if (file !== undefined) return `${own}/uploads/${encodeURI(file.path)}`;
    const upload = UPLOADS.exec(found.pathname)?.[1];
    if (upload !== undefined) return `${own}/uploads/${this.#uploadOf(upload)}`;
    return root === undefined ? undefined : own + found.pathname.slice(root.length);
  }

  /** A smaller size that was not made here is shown by the file itself. */
  #uploadOf(path: string): string {
    const decoded = decodedPath(path);
    const exact = this.#files.get(decoded);
    if (exact !== undefined) return exact.path;
    const [, stem = '', size = '', ending = ''] = VARIANT.exec(decoded) ?? [];
    for (const whole of [`${stem}${ending}`, `${stem}-scaled${ending}`, decoded.replace(ENLARGED, '$1')]) {
      const file = this.#files.get(whole);
      if (file === undefined) continue;
      return file.sizes.includes(size) ? file.path.replace(/(?:-scaled|-rotated)?(\.[^.]*)$/, `-${size}$1`) : file.path;
    }
    return path;
  }

  #pathOf(id: number): string | null {
    const { items } = this.#parts.catalogue;
    const head = items.get(id);
    if (head === undefined || !isKnownType(head.type)) return null;
    const here = this.item(id);
    if (head.type === 'attachment') return head.slug === '' ? null : this.#belowParent(id, head.parent);
    const kind = kindOf(head.type);
    if (!kind.type.viewable) return null;
    if (head.status !== 'publish' && head.status !== 'private') return `/?${kind.plainLink}=${here}`;
    return kind.hierarchical ? this.#belowParent(id, head.parent) : `/${kind.root}${this.slug(id)}/`;
  }

  #belowParent(id: number, parent: number): string {
    const above = this.#pathOf(parent);
    return above === null || above.includes('?') ? `/${this.slug(id)}/` : `${above}${this.slug(id)}/`;
  }

  #idOf(of: Series, key: string, own: number): number {
    // What was only kept has no id here.
    const known = this.#known.get(key)?.id || this.#given.get(key);
    if (known !== undefined) return known;
    if (this.#isKept(of, own)) return own;
    const id = this.#extra[of]++;
    this.#given.set(key, id);
    return id;
  }

  #isKept(of: Series, id: number): boolean {
    return (
      id > 0 && !this.#lent[of].has(id) && this.#parts.kept.some(({ [of]: { from, to } }) => id >= from && id < to)
    );
  }
}

export function itemKey(id: number): string {
  return `item ${id}`;
}

function seriesOf(area: KnownItem['area']): Series | null {
  if (area === 'entry' || area === 'media') return 'item';
  return area === 'term' || area === 'user' || area === 'comment' ? area : null;
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
