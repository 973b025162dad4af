import { type EntryKind, kindOf } from '#domain/entry/kinds.ts';
import { type TermKind, termKinds } from '#domain/term/kinds.ts';
import { asWriter, may, type Viewer } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { type LinkParts, linkParts } from '#site/addresses/interface.ts';
import { methodsForEntry } from '#site/rights/entries.ts';
import { canReadMedia } from '#site/rights/media.ts';
import type { JsonText } from '#text/json.ts';

import type { EntryShowing } from './showing.ts';

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
