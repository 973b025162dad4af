import { kindOf } from '#domain/entry/kinds.ts';
import { generatedSlug } from '#domain/entry/naming.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { EntryRow, Texts } from '#projections/entries/row.ts';
import type { Model } from '#projections/model.ts';
import { worked } from '#text/elsewhere.ts';
import { asciiJson } from '#text/json.ts';
import { blockVersion } from '#text/render.ts';
import type { Context, JsonText, Rec } from '../../engine/types.ts';
import { classList, termsByName } from './classes.ts';
import { guid, permalink, permalinkTemplate } from './links.ts';
import { productMetaJson } from './product.ts';
import { linksJson } from './relations.ts';

export interface Showing {
  readonly context: Context;
  readonly viewer: Viewer;
  readonly model: Model;
  /** Password that came with the request. */
  readonly password?: string;
  /** Words in an excerpt that is made from the content. */
  readonly excerptLength?: number;
  /** Without `_links`, as a deleted item is shown. */
  readonly bare?: true;
}

/** An entry as a record: every field's JSON on its own, made when it is asked for. */
export function entryRecord(row: EntryRow, showing: Showing): Rec {
  return new EntryRecord(row, showing);
}

/** All of a record; null for none. */
export function wholeText(record: Rec): JsonText;
export function wholeText(record: Rec | null): JsonText | null;
export function wholeText(record: Rec | null): JsonText | null {
  return record === null ? null : `{${record.names.map((name) => `"${name}":${record.json(name)}`).join()}}`;
}

class EntryRecord implements Rec {
  readonly names: readonly string[];
  readonly #row: EntryRow;
  readonly #showing: Showing;
  #texts: Texts | undefined;

  constructor(row: EntryRow, showing: Showing) {
    this.#row = row;
    this.#showing = showing;
    const names = fieldNames(row.kind, showing.context);
    this.names = showing.bare ? names.slice(0, -1) : names;
  }

  json(name: string): JsonText {
    const make = fields[name];
    return make === undefined ? 'null' : make(this.#row, this.#showing, this);
  }

  get texts(): Texts {
    this.#texts ??= this.#showing.model.texts(this.#row.id) ?? noTexts;
    return this.#texts;
  }

  get locked(): boolean {
    const { context, password } = this.#showing;
    return this.#row.password !== '' && context !== 'edit' && password !== this.#row.password;
  }
}

type Field = (row: EntryRow, showing: Showing, record: EntryRecord) => JsonText;

const noTexts: Texts = { content: '', excerpt: '' };

/** For text that is known to hold nothing that JSON must escape. */
const plain = (text: string): JsonText => `"${text}"`;
const isEdit = ({ context }: Showing): boolean => context === 'edit';

const fields: Record<string, Field> = {
  id: (row) => String(row.id),
  date: (row) => plain(row.date),
  date_gmt: (row) => plain(row.dateGmt ?? row.modifiedGmt),
  guid: (row, showing) => {
    const text = asciiJson(guid(row, showing.model));
    return isEdit(showing) ? `{"rendered":${text},"raw":${text}}` : `{"rendered":${text}}`;
  },
  modified: (row) => plain(row.modified),
  modified_gmt: (row) => plain(row.modifiedGmt),
  password: (row) => asciiJson(row.password),
  slug: (row) => asciiJson(row.slug),
  status: (row) => plain(row.status),
  type: (row) => plain(row.kind),
  link: (row, { model }) => asciiJson(permalink(row, model)),
  title: (row, showing) =>
    isEdit(showing) ? `{"raw":${asciiJson(row.title)},"rendered":${row.titleJson}}` : `{"rendered":${row.titleJson}}`,
  content: contentField,
  excerpt: excerptField,
  author: (row) => String(row.author),
  featured_media: (row) => String(row.featuredMedia),
  parent: (row) => String(row.parent),
  menu_order: (row) => String(row.menuOrder),
  comment_status: (row) => plain(row.commentStatus),
  ping_status: (row) => plain(row.pingStatus),
  sticky: (row) => String(row.sticky),
  template: (row) => asciiJson(row.template),
  format: (row) => plain(row.format),
  meta: (row, _, record) =>
    `{"footnotes":${record.locked ? '""' : asciiJson(row.footnotes)}${kindOf(row.kind).sold ? productMetaJson(row.product) : ''}}`,
  categories: (row, { model }) => idsJson(row.categories, model),
  tags: (row, { model }) => idsJson(row.tags, model),
  permalink_template: (row, { model }) => asciiJson(permalinkTemplate(row, model)),
  generated_slug: (row, { model }) => asciiJson(slugFromTitle(row, model)),
  class_list: (row, { model }) => asciiJson(classList(row, model)),
  _links: (row, showing) => linksJson(row, showing),
};

function contentField(row: EntryRow, showing: Showing, record: EntryRecord): JsonText {
  const shown = `"rendered":${record.locked ? '""' : row.contentJson},"protected":${row.password !== ''}`;
  if (!isEdit(showing)) return `{${shown}}`;
  const { content } = record.texts;
  return `{"raw":${asciiJson(content)},${shown},"block_version":${blockVersion(content)}}`;
}

function excerptField(row: EntryRow, showing: Showing, record: EntryRecord): JsonText {
  const rendered = record.locked ? '""' : excerptOf(row, showing, record);
  const shown = `"rendered":${rendered},"protected":${row.password !== ''}`;
  return isEdit(showing) ? `{"raw":${asciiJson(record.texts.excerpt)},${shown}}` : `{${shown}}`;
}

/** Only an excerpt that is made from the content can be asked for in another length. */
function excerptOf(row: EntryRow, { excerptLength }: Showing, record: EntryRecord): JsonText {
  if (excerptLength === undefined || record.texts.excerpt !== '') return row.excerptJson;
  return worked('excerptOfLength', record.texts.content, String(excerptLength));
}

function idsJson(ids: readonly number[], model: Model): JsonText {
  return ids.length < 2
    ? `[${ids.join()}]`
    : `[${termsByName(ids, model)
        .map((term) => term.id)
        .join()}]`;
}

function slugFromTitle(row: EntryRow, model: Model): string {
  const kind = kindOf(row.kind);
  const owner = (parent: number) => ({ kind: row.kind, id: row.id, parent: kind.hierarchical ? parent : -1 });
  return generatedSlug(row, kind, {
    slugTaken: (slug, parent) => model.slugTaken(slug, owner(parent)),
    numbers: (slug, parent) => model.slugNumbers?.(slug, owner(parent)),
  });
}

const embed = ['id', 'date', 'slug', 'type', 'link', 'title', 'excerpt', 'author', 'featured_media', '_links'];
const order = [
  'id date date_gmt guid modified modified_gmt password slug status type link title content excerpt author',
  'featured_media parent menu_order comment_status ping_status sticky template format meta categories tags',
  'permalink_template generated_slug class_list _links',
]
  .join(' ')
  .split(' ');
const editOnly = ['password', 'permalink_template', 'generated_slug'];
const known = new Map<string, readonly string[]>();

function fieldNames(kind: string, context: Context): readonly string[] {
  if (context === 'embed') return embed;
  const key = `${kind} ${context}`;
  const names = known.get(key) ?? order.filter((name) => shows(name, kind, context));
  known.set(key, names);
  return names;
}

function shows(name: string, kind: string, context: Context): boolean {
  const { classified, styled, hierarchical } = kindOf(kind);
  if (editOnly.includes(name)) return context === 'edit';
  if (name === 'sticky' || name === 'format') return styled;
  if (name === 'categories' || name === 'tags') return classified;
  return name === 'parent' || name === 'menu_order' ? hierarchical : true;
}
