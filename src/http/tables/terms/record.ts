import { type TermKind, termKinds } from '#domain/term/kinds.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/model.ts';
import { lineage } from '#projections/reader.ts';
import type { TermRow } from '#projections/terms.ts';
import { asciiJson } from '#text/json.ts';
import type { Context, JsonText, Rec } from '../../engine/types.ts';
import { linksJson } from './relations.ts';

export interface Showing {
  readonly context: Context;
  readonly viewer: Viewer;
  readonly model: Model;
}

/** A category or tag as a record (interface behaviour, section 18). */
export function termRecord(row: TermRow, showing: Showing): Rec {
  const names = fieldNames(termKinds[row.taxonomy], showing.context);
  return { names, json: (name) => fields[name]?.(row, showing) ?? 'null' };
}

const fields: Readonly<Record<string, (row: TermRow, showing: Showing) => JsonText>> = {
  id: (row) => String(row.id),
  count: (row) => String(row.published),
  description: (row) => asciiJson(row.description),
  link: (row, { model }) => asciiJson(termLink(row, model)),
  name: (row) => asciiJson(row.name),
  slug: (row) => asciiJson(row.slug),
  taxonomy: (row) => `"${row.taxonomy}"`,
  parent: (row) => String(row.parent),
  meta: () => '[]',
  _links: linksJson,
};

const embedded = ['id', 'link', 'name', 'slug', 'taxonomy', '_links'];
const flat = ['id', 'count', 'description', 'link', 'name', 'slug', 'taxonomy', 'meta', '_links'];
const tree = ['id', 'count', 'description', 'link', 'name', 'slug', 'taxonomy', 'parent', 'meta', '_links'];

function fieldNames({ hierarchical }: TermKind, context: Context): readonly string[] {
  if (context === 'embed') return embedded;
  return hierarchical ? tree : flat;
}

/** Where a person finds the term's posts: below the slugs of its ancestors. */
export function termLink(row: TermRow, model: Model): string {
  const ancestors = lineage(row.id, (id) => model.term(id)?.parent ?? 0);
  const slugs = ancestors.map((id) => model.term(id)?.slug ?? '').reverse();
  return `${model.site().url}/${termKinds[row.taxonomy].title}/${slugs.join('/')}/`;
}
