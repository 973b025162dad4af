import type { z } from 'zod';
import type { EntryFields } from '#domain/entry/commands.ts';
import { type EntryKind, kindOf, menuItem, navigation, pattern } from '#domain/entry/kinds.ts';
import type { Part } from '#domain/entry/parts.ts';
import type { Refusal } from '#domain/kernel/refusal.ts';
import { type TermKind, termKinds } from '#domain/term/kinds.ts';
import { asWriter, may, type Viewer } from '#domain/user/roles.ts';
import type { EntryRow, Texts } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { type LinkParts, linkParts } from '#site/addresses/interface.ts';
import { type DetailedContent, detailedContent } from '#site/post-lists/detailed-content.ts';
import { postOf } from '#site/rendering/posts.ts';
import type { Post, Reading, TextRendering } from '#site/rendering/types.ts';
import { canReadMedia, methodsForEntry } from '#site/rights.ts';
import type { JsonText } from '#text/json.ts';
import type { Context, Fault } from '../../engine/types.ts';
import type { Field } from '../records/field.ts';
import { editing, everywhere, whole } from '../records/property.ts';

export interface EntryShowing {
  readonly context: Context;
  readonly viewer: Viewer;
  readonly model: Model;
  readonly rendering: TextRendering;
  readonly password?: string;
  readonly excerptLength?: number;
  /** What is shown on request alone. */
  readonly asked?: AskedTexts;
  /** Shown instead of the texts that the entry has. */
  readonly texts?: Texts;
}

/** Whether a request names the blocks of contents, and their styles. */
export interface AskedTexts {
  readonly blocks: boolean;
  readonly styles: boolean;
  /** What the texts are rendered for. */
  readonly reading: Omit<Reading, 'lists' | 'rules'>;
}

interface ShownKind {
  readonly kind: EntryKind;
  readonly partMeta: PartMeta | undefined;
}

/** How the part of a kind appears as members of `meta`, beside those of every entry. */
export interface PartMeta {
  readonly properties: Readonly<Record<string, z.ZodType>>;
  /** The fault of the members; reported together with other parameters. */
  readonly check?: (meta: unknown) => Fault | null;
  /** The same, reported only if nothing else is wrong. */
  readonly refusal?: (meta: unknown) => Refusal | null;
  /** The sent members under their names in the domain; undefined for none. */
  readonly read: (meta: unknown) => Partial<Part> | undefined;
  /** The members of `meta` as JSON, each preceded by a comma. */
  readonly json?: (row: EntryRow) => JsonText;
}

type Contexts = readonly Context[];

export interface Exposure {
  readonly status: Contexts;
  readonly content: Contexts;
  readonly raw: Contexts;
  readonly rendered: Contexts;
  readonly blockVersion: Contexts;
}

const usual: Exposure = { status: whole, content: whole, raw: editing, rendered: everywhere, blockVersion: editing };

const written: Contexts = ['edit', 'embed'];

const exposures: Readonly<Record<string, Exposure>> = {
  [pattern.name]: { ...usual, raw: whole, rendered: [] },
  // Autosaves of menu items have only a title, because the rest is not text.
  [menuItem.name]: { ...usual, content: [] },
  [navigation.name]: { ...usual, status: everywhere, content: everywhere, raw: written, blockVersion: written },
};

export class ShownEntry {
  readonly showing: EntryShowing;
  readonly model: Model;
  readonly isEdit: boolean;
  readonly locked: boolean;
  readonly #row: EntryRow;
  readonly hidden: boolean;
  readonly raw: boolean;
  readonly rendered: boolean;
  readonly blockVersion: boolean;
  readonly partMeta: PartMeta | undefined;
  #texts: Texts | undefined;
  #detailed: DetailedContent | undefined;

  constructor(row: EntryRow, { kind, partMeta }: ShownKind, showing: EntryShowing) {
    this.showing = showing;
    this.model = showing.model;
    this.isEdit = showing.context === 'edit';
    this.locked = row.password !== '' && !this.isEdit && showing.password !== row.password;
    this.hidden = this.locked && kind.rights.read === null;
    this.partMeta = partMeta;
    const { raw, rendered, blockVersion } = textVisibilityOf(kind);
    this.raw = raw.includes(showing.context);
    this.rendered = rendered.includes(showing.context);
    this.blockVersion = blockVersion.includes(showing.context);
    this.#row = row;
  }

  get post(): Post {
    const post = postOf(this.#row, this.model);
    const { texts } = this.showing;
    return texts === undefined ? post : { ...post, texts: () => texts };
  }

  /** The content as data; undefined unless it is asked for and may be read. */
  get detailed(): DetailedContent | undefined {
    const { asked } = this.showing;
    if (asked === undefined || this.locked || !this.rendered) return undefined;
    this.#detailed ??= this.#inDetail(asked.reading);
    return this.#detailed;
  }

  #inDetail(reading: AskedTexts['reading']): DetailedContent {
    const { rendering } = this.showing;
    const detailed = detailedContent(this.post, reading);
    if (detailed.dependsOn === 'time' || rendering.dependsOn === null) rendering.dependsOn = detailed.dependsOn;
    return detailed;
  }

  get texts(): Texts {
    this.#texts ??= this.showing.texts ?? this.model.texts(this.#row.id) ?? noTexts;
    return this.#texts;
  }
}

export type EntryField = Field<EntryTypes>;

export interface EntryTypes {
  readonly kind: EntryKind;
  readonly row: EntryRow;
  readonly showing: ShownEntry;
  readonly model: Model;
  readonly input: EntryFields;
}

const noTexts: Texts = { content: '', excerpt: '' };

export function textVisibilityOf({ name }: EntryKind): Exposure {
  return exposures[name] ?? usual;
}

/** The links of an entry (interface behaviour, section 6), as JSON text. */
export function entryLinksJson(row: EntryRow, showing: EntryShowing): JsonText {
  const kind = kindOf(row.kind);
  const parts = linkParts(showing.model.site());
  const { rest, prefix } = parts;
  const self = `"href":"${rest}/${kind.base}/${row.id}"`;
  // Each part but the first begins with a comma: an array of them would take half the time again.
  let links = `{"self":[{${self}${hints(row, showing)}}],"collection":[{"href":"${rest}/${kind.base}"}],"about":[{"href":"${rest}/types/${row.kind}"}]`;
  if (kind.features.has('author')) links += `,"author":[{"embeddable":true,"href":"${rest}/users/${row.author}"}]`;
  if (kind.features.has('discussion')) {
    links += `,"replies":[{"embeddable":true,"href":"${rest}/comments?post=${row.id}"}]`;
  }
  if (kind.features.has('revisions')) links += revisions(row, `${rest}/${kind.base}/${row.id}/revisions`);
  links += up(row, showing, rest) + image(row, showing, { rest, prefix });
  links += `,"${prefix}:attachment":[{"href":"${rest}/media?parent=${row.id}"}]`;
  for (const link of termRelations(row.id, kind, parts)) links += `,${link}`;
  if (showing.context === 'edit') {
    for (const action of actions(kind, showing.viewer)) links += `,"${prefix}:action-${action}":[{${self}}]`;
  }
  return `${links},${parts.curies}}`;
}

function hints(row: EntryRow, { viewer }: EntryShowing): string {
  const methods = methodsForEntry(viewer, row);
  return methods.length === 0 ? '' : `,"targetHints":{"allow":["${methods.join('","')}"]}`;
}

function revisions(row: EntryRow, address: string): string {
  const history = `,"version-history":[{"count":${row.revisions},"href":"${address}"}]`;
  if (row.latestRevision === 0) return history;
  const { latestRevision: id } = row;
  return `${history},"predecessor-version":[{"id":${id},"href":"${address}/${id}"}]`;
}

function up(row: EntryRow, { model }: EntryShowing, rest: string): string {
  const base = row.parent === 0 ? undefined : baseOf(row.parent, model);
  return base === undefined ? '' : `,"up":[{"embeddable":true,"href":"${rest}/${base}/${row.parent}"}]`;
}

function baseOf(id: number, model: Model): string | undefined {
  const entry = model.entry(id);
  if (entry !== undefined) return kindOf(entry.kind).base;
  return model.media(id) === undefined ? undefined : 'media';
}

function image({ featuredMedia }: EntryRow, { model, viewer }: EntryShowing, { rest, prefix }: Names): string {
  if (featuredMedia === 0) return '';
  const media = model.media(featuredMedia);
  if (media !== undefined && !canReadMedia(viewer, media, model)) return '';
  return `,"${prefix}:featuredmedia":[{"embeddable":true,"href":"${rest}/media/${featuredMedia}"}]`;
}

type Names = Pick<LinkParts, 'rest' | 'prefix'>;

export function termRelations(id: number, { taxonomies }: EntryKind, { rest, prefix }: LinkParts): string[] {
  const links = taxonomies.map(
    (name) => `{"taxonomy":"${name}","embeddable":true,"href":"${rest}/${termKinds[name].base}?post=${id}"}`,
  );
  return links.length === 0 ? [] : [`"${prefix}:term":[${links}]`];
}

export function actions({ features, rights, taxonomies }: EntryKind, reader: Viewer): string[] {
  const viewer = asWriter(reader);
  const editOthers = may(viewer, rights.editOthers);
  return [
    ...(may(viewer, rights.publish) ? ['publish'] : []),
    ...(may(viewer, 'unfiltered_html') ? ['unfiltered-html'] : []),
    ...(features.has('sticky') && editOthers ? ['sticky'] : []),
    ...(features.has('author') && editOthers ? ['assign-author'] : []),
    ...taxonomies.flatMap((name) => termActions(termKinds[name], viewer)),
  ];
}

function termActions({ base, rights }: TermKind, viewer: Viewer): string[] {
  return [
    ...(may(viewer, rights.create) ? [`create-${base}`] : []),
    ...(may(viewer, rights.assign) ? [`assign-${base}`] : []),
  ];
}
