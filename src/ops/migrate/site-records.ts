import { codec } from '#catalogue/events.ts';
import { entryKinds, partOf } from '#domain/entry/kinds.ts';
import type { MenuItem } from '#domain/entry/menu-item.ts';
import { productPart } from '#domain/entry/product.ts';
import { entryStatuses } from '#domain/entry/vocabulary.ts';
import { sizeName } from '#domain/media/naming.ts';
import { type MigrationEvent, migrations } from '#domain/migration/area.ts';
import { siteStyles } from '#domain/site-styles/area.ts';
import { templateKey, templates } from '#domain/templates/area.ts';
import { taxonomies } from '#domain/term/events.ts';
import { menuSettingsOf } from '#domain/term/menus.ts';
import { anonymous } from '#domain/user/roles.ts';
import type { EventStore } from '#eventstore/port.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { MediaRow } from '#projections/media/row.ts';
import { mediaKind } from '#projections/media/store.ts';
import type { Model } from '#projections/reading/model.ts';
import { guid, mediaGuid, mediaLink, permalink, shownFile, sourceUrl } from '#site/addresses/items.ts';
import type {
  AuthorRecord,
  CommentRecord,
  ItemRecord,
  ItemTerm,
  RevisionRecord,
  SourceMeta,
  SourceRecord,
  SourceRef,
  TermRecord,
} from '#wxr/records.ts';
import { undoneCommits } from './earlier.ts';
import { metaOfProduct } from './products.ts';

/** The site as a stream of records: what an import of it reads, and an export writes. */
export function* siteRecords(model: Model, log: Pick<EventStore, 'read'>, theme: string): Generator<SourceRecord> {
  const unread = new CarriedAlong(log);
  yield siteRecord(model);
  for (const user of model.users()) if (!user.erased) yield authorRecord(user);
  for (const taxonomy of taxonomies) for (const { id } of model.terms(taxonomy)) yield termRecord(id, model, unread);
  for (const { name: kind } of entryKinds) {
    for (const id of idsOf(kind, model)) yield* withBelongings(entryRecord(id, model, unread), model, unread);
  }
  for (const id of idsOf(mediaKind, model)) yield* withBelongings(mediaRecord(id, model, unread), model, unread);
  yield* templateRecords(model);
  const { settings, styles } = model.plugin(siteStyles);
  if (settings !== undefined || styles !== undefined) {
    yield { kind: 'styles', id: 0, theme, settings: settings ?? {}, styles: styles ?? {} };
  }
  yield* unread.whole();
}

function siteRecord(model: Model): SourceRecord {
  const { name, description, url, storeUrl, timezone, language, ...site } = model.site();
  return {
    kind: 'site',
    generator: 'Palimpsest',
    title: name,
    description,
    language: (language || 'en_US').replace('_', '-'),
    url,
    baseUrl: storeUrl,
    timezone,
    settings: {
      date_format: site.dateFormat,
      time_format: site.timeFormat,
      start_of_week: site.startOfWeek,
      use_smilies: site.useSmilies,
      posts_per_page: site.postsPerPage,
      show_on_front: site.showOnFront,
      page_on_front: site.pageOnFront,
      page_for_posts: site.pageForPosts,
      default_ping_status: site.defaultPingStatus,
      default_comment_status: site.defaultCommentStatus,
      default_category: site.defaultCategory,
      site_logo: site.unset.includes('siteLogo') ? null : site.siteLogo,
      site_icon: site.siteIcon,
    },
  };
}

function authorRecord(user: ReturnType<Model['users']>[number]): AuthorRecord {
  const { id, login, email, displayName, firstName, lastName, slug, url, description, roles } = user;
  return { kind: 'author', ...{ id, login, email, displayName, firstName, lastName, slug, url, description, roles } };
}

function termRecord(id: number, model: Model, unread: CarriedAlong): TermRecord {
  const term = model.namedTerm(id);
  const { taxonomy = '', slug = '', name = '', description = '', parent = 0 } = term ?? {};
  const above = parent === 0 ? undefined : model.namedTerm(parent);
  const settings = term?.taxonomy === 'nav_menu' ? menuSettingsOf(term) : null;
  const menuMeta: SourceMeta[] =
    settings === null
      ? []
      : [
          ...(settings.locations.length > 0 ? [{ key: 'locations', value: JSON.stringify(settings.locations) }] : []),
          ...(settings.autoAdd ? [{ key: 'auto_add', value: 'true' }] : []),
        ];
  const parentRef = above === undefined ? null : { id: above.id, name: above.slug };
  const meta = [...menuMeta, ...(unread.of('term', id).meta ?? [])];
  return { kind: 'term', id, taxonomy, slug, name, description, parent: parentRef, meta };
}

const everything = { orderBy: 'id', order: 'asc', offset: 0, limit: Number.MAX_SAFE_INTEGER } as const;
const statuses = [...entryStatuses, 'inherit'].map((status) => ({ status }));

function idsOf(kind: string, model: Model): readonly number[] {
  return model.find({ kind, statuses, ...everything }).ids;
}

function entryRecord(id: number, model: Model, unread: CarriedAlong): ItemRecord | null {
  const [row, texts] = [model.entry(id), model.texts(id)];
  if (row === undefined || texts === undefined) return null;
  const more = unread.of('entry', id);
  const isMenuItem = row.kind === 'nav_menu_item';
  const part = row.part as (MenuItem & { readonly syncStatus?: string }) | null;
  return {
    ...{ kind: 'item', id, type: row.kind, status: more.status ?? row.status, slug: row.slug, title: row.title },
    ...{ content: texts.content, excerpt: texts.excerpt, footnotes: row.footnotes },
    ...{ link: permalink(row, model), guid: guid(row, model), author: authorRef(row.author, model) },
    ...{ date: row.date, dateGmt: row.dateGmt, modified: row.modified, modifiedGmt: row.modifiedGmt },
    ...{ parent: isMenuItem ? 0 : row.parent, menuOrder: row.menuOrder },
    ...{ commentStatus: row.commentStatus, pingStatus: row.pingStatus, password: row.password, sticky: row.sticky },
    ...{ template: row.template, format: more.format ?? (row.format === 'standard' ? '' : row.format) },
    ...{ terms: [...itemTerms(row, model), ...(more.terms ?? [])], featured: row.featuredMedia, file: null },
    menuItem: isMenuItem && part !== null ? menuItemOf(part, row.parent) : null,
    syncStatus: row.kind === 'wp_block' ? (part?.syncStatus ?? '') : '',
    meta: [...trashMeta(row), ...productMeta(row), ...(more.meta ?? []).filter(({ key }) => !TRASHED.has(key))],
  };
}

function menuItemOf({ type, object, objectId, url, target, classes, xfn }: MenuItem, parent: number) {
  return { type, object, objectId, parent, url, target, classes, xfn };
}

function productMeta(row: EntryRow): SourceMeta[] {
  const product = row.kind === 'product' ? partOf(productPart, row) : null;
  return product === null ? [] : metaOfProduct(product);
}

const TRASHED = new Set(['_wp_trash_meta_status', '_wp_desired_post_slug']);

function trashMeta({ trashed }: EntryRow): SourceMeta[] {
  if (trashed === null) return [];
  const status = { key: '_wp_trash_meta_status', value: trashed.status };
  return trashed.slug === null ? [status] : [status, { key: '_wp_desired_post_slug', value: trashed.slug }];
}

function itemTerms({ categories, tags, otherTerms }: EntryRow, model: Model): ItemTerm[] {
  return [...categories, ...tags, ...Object.values(otherTerms).flat()].flatMap((id) => {
    const term = model.namedTerm(id);
    return term === undefined ? [] : [{ taxonomy: term.taxonomy, id, name: term.slug, label: term.name }];
  });
}

function authorRef(id: number, model: Model): SourceRef {
  const user = id === 0 ? undefined : model.user(id);
  return user === undefined ? (id === 0 ? {} : { id }) : { id, name: user.login };
}

function mediaRecord(id: number, model: Model, unread: CarriedAlong): ItemRecord | null {
  const row = model.media(id);
  if (row === undefined) return null;
  const more = unread.of('media', id);
  const times = { date: row.date, dateGmt: row.dateGmt, modified: row.modified, modifiedGmt: row.modifiedGmt };
  return {
    ...{ kind: 'item', id, type: mediaKind, status: row.status ?? 'inherit', slug: row.slug, title: row.title },
    ...{ content: row.description, excerpt: row.caption, footnotes: '', link: mediaLink(row, model, anonymous) },
    ...{
      guid: mediaGuid(row, model),
      author: authorRef(row.author, model),
      ...times,
      parent: row.parent,
      menuOrder: 0,
    },
    ...{ commentStatus: row.commentStatus, pingStatus: row.pingStatus, password: '', sticky: false, template: '' },
    ...{ format: '', terms: [], featured: row.featuredMedia, file: fileOf(row, model), menuItem: null, syncStatus: '' },
    meta: more.meta ?? [],
  };
}

function fileOf(row: MediaRow, model: Model): ItemRecord['file'] {
  const { width = 0, height = 0 } = row.shown ?? row.image ?? {};
  const sizes = row.sizes.map((size) => ({ ...size, file: sizeName(row.name, size) }));
  return {
    url: sourceUrl(row, model),
    path: `${row.folder}/${shownFile(row)}`,
    type: row.type,
    altText: row.altText,
    ...{ width, height, original: row.shown === null ? '' : row.name },
    sizes: sizes.map(({ name, file, width: w, height: h }) => ({ name, file, width: w, height: h })),
  };
}

/** An item, its revisions and its comments. */
function* withBelongings(item: ItemRecord | null, model: Model, unread: CarriedAlong): Generator<SourceRecord> {
  if (item === null) return;
  yield item;
  if (item.file === null) {
    for (const row of model.revisions(item.id).all()) {
      const { title, content, excerpt, footnotes } = model.revisionTexts(row);
      const { id, isAutosave, date, dateGmt } = row;
      const revision = { kind: 'revision', id, of: item.id, isAutosave, author: authorRef(row.author, model) } as const;
      yield { ...revision, date, dateGmt, title, content, excerpt, footnotes } satisfies RevisionRecord;
    }
  }
  const all = { statuses: null, kinds: null, orderBy: 'id', order: 'asc', offset: 0, limit: -1 } as const;
  for (const id of model.comments.find({ ...all, posts: [item.id] }).ids) {
    const comment = commentRecord(id, model, unread);
    if (comment !== null) yield comment;
  }
  yield* unread.below(item.file === null ? 'entry' : 'media', item.id);
}

function commentRecord(id: number, model: Model, unread: CarriedAlong): CommentRecord | null {
  const row = model.comments.get(id);
  if (row === undefined) return null;
  const { kind: type, post: of, status, parent, name, email, url, ip, agent, date, dateGmt, content } = row;
  const meta = [
    ...(row.remembered === null
      ? []
      : [{ key: '_wp_trash_meta_status', value: approval[row.remembered] ?? row.remembered }]),
    ...(row.resolution === '' ? [] : [{ key: '_wp_note_status', value: row.resolution }]),
    ...(unread.of('comment', id).meta ?? []),
  ];
  const who = { name, email, url, ip, agent, author: authorRef(row.author, model) };
  return { kind: 'comment', id, of, type, status, parent, ...who, date, dateGmt, content, meta };
}

const approval: Readonly<Record<string, string>> = { approved: '1', hold: '0' };

function* templateRecords(model: Model): Generator<SourceRecord> {
  for (const { number, isTrashed } of model.plugin(templates).places) {
    const { template } = model.plugin(templates, templateKey(number));
    if (template === null || isTrashed) continue;
    const { type, theme, slug, title, description, content, area } = template;
    const place = type === 'wp_template_part' ? area : '';
    yield { kind: 'template', id: number, type, theme, slug, title, description, content, area: place };
  }
}

/** What an import kept of an item without using it. */
interface Carried {
  readonly meta?: readonly SourceMeta[];
  readonly terms?: readonly ItemTerm[];
  readonly format?: string;
  readonly status?: string;
}

/** What imports kept as it was: read where it stands in the log, since it may be long. */
class CarriedAlong {
  readonly #log: Pick<EventStore, 'read'>;
  /** Positions, by area and id. */
  readonly #ofItems = new Map<string, number>();
  /** Positions of what belongs to an item and is a record of its own, such as a pingback; by area and id of the item. */
  readonly #belongings = new Map<string, readonly number[]>();
  /** Positions of what belongs to nothing. */
  readonly #whole: number[] = [];

  constructor(log: Pick<EventStore, 'read'>) {
    this.#log = log;
    const items = new Map<string, string>();
    const kept = new Map<string, number>();
    // Two sources may use the same keys.
    const origins = new Map<number, string>();
    const undone = undoneCommits(log);
    for (const stored of log.read({ stream: migrations.stream, sealed: 'none' })) {
      const { type, data } =
        stored.type === 'UnreadKept'
          ? keyOnly(stored.data)
          : (codec.decode({ ...stored, sealed: null }) as MigrationEvent);
      if (type === 'MigrationBegan') origins.set(data.run, data.origin);
      if (undone.has(stored.position - stored.commit.i)) continue;
      const origin = origins.get(data.run) ?? '';
      if (type === 'ItemsImported')
        for (const { key, area, id } of data.items) items.set(`${origin}\n${key}`, `${area} ${id}`);
      else if (type === 'UnreadKept') kept.set(`${origin}\n${data.key}`, stored.position);
    }
    for (const [full, position] of kept) {
      const [origin = '', key = ''] = full.split('\n');
      const item = items.get(full);
      if (item !== undefined) this.#ofItems.set(item, position);
      else if (!/^(?:comment|revision) /.test(key)) this.#whole.push(position);
      else {
        const host = items.get(`${origin}\nitem ${(this.#dataAt(position) as { readonly of?: number } | null)?.of}`);
        if (host === undefined) this.#whole.push(position);
        else this.#belongings.set(host, [...(this.#belongings.get(host) ?? []), position]);
      }
    }
  }

  of(area: string, id: number): Carried {
    const position = this.#ofItems.get(`${area} ${id}`);
    const {
      kind,
      meta = [],
      ...more
    } = ((position === undefined ? null : this.#dataAt(position)) ?? {}) as Carried & {
      readonly kind?: string;
    };
    // It was kept whole before it could be imported.
    return kind === undefined ? { meta, ...more } : { meta };
  }

  /** Records of an item that have no place in this store. */
  *below(area: string, id: number): Generator<SourceRecord> {
    for (const record of this.#records(this.#belongings.get(`${area} ${id}`) ?? [])) {
      yield record.kind === 'comment' || record.kind === 'revision' ? { ...record, of: id } : record;
    }
  }

  /** All others. */
  whole(): Generator<SourceRecord> {
    return this.#records(this.#whole);
  }

  *#records(positions: readonly number[]): Generator<SourceRecord> {
    for (const position of positions) {
      const record = this.#dataAt(position);
      if (record !== null) yield record as SourceRecord;
    }
  }

  /** Null: it was erased. */
  #dataAt(position: number): object | null {
    const [stored] = this.#log.read({ from: position, limit: 1 });
    if (stored === undefined) return null;
    const event = codec.decode(stored) as MigrationEvent;
    return event.type !== 'UnreadKept' || event.data.data === '' ? null : (JSON.parse(event.data.data) as object);
  }
}

function keyOnly(data: string): {
  readonly type: 'UnreadKept';
  readonly data: { readonly key: string; readonly run: number };
} {
  return { type: 'UnreadKept', data: JSON.parse(data) as { readonly key: string; readonly run: number } };
}
