import { z } from 'zod';
import { filterDescription } from '#blocks/filter.ts';
import type { TermFields } from '#domain/term/commands.ts';
import { menu, type TermKind, termKinds } from '#domain/term/kinds.ts';
import { menuSettingsOf } from '#domain/term/menus.ts';
import { storedName } from '#domain/term/text.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import type { TermRow } from '#projections/terms/definition.ts';
import { type LinkParts, linkParts } from '#site/addresses/interface.ts';
import { termLink } from '#site/addresses/items.ts';
import { menuPlaces, placesOf } from '#site/menus.ts';
import { methodsForTerm } from '#site/rights.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { listOf } from '#text/shapes.ts';
import { descriptorOf } from '../../engine/descriptors.ts';
import type { Call, Context, Fault } from '../../engine/types.ts';
import { validate } from '../../engine/validate.ts';
import { checkMeta } from '../entries/checks.ts';
import { defineFields, type Field, type FieldRecord, fieldConstructors, recordSchema } from '../records/field.ts';
import { address, everywhere, whole } from '../records/property.ts';

interface TermTypes {
  readonly kind: TermKind;
  readonly row: TermRow;
  readonly showing: TermShowing;
  readonly model: Model;
  readonly input: TermFields;
}
type TermField = Field<TermTypes>;

export interface TermShowing {
  readonly context: Context;
  readonly viewer: Viewer;
  readonly model: Model;
}

const shownEverywhere: readonly Context[] = ['view', 'embed', 'edit'];
const isListing = (kind: TermKind) => kind !== menu;

const { bool, field, int, text } = fieldConstructors<TermTypes>();

/** Every field of categories and tags, in the order in which records and the schema have them. */
const fields: readonly TermField[] = [
  int('id', shownEverywhere, 'Unique identifier for the term.', { readonly: true }),
  int('count', whole, 'Number of published posts for the term.', {
    readonly: true,
    when: isListing,
    read: (row) => row.published,
  }),
  text('description', whole, 'HTML description of the term.', { write: stored('description', filterDescription) }),
  text('link', shownEverywhere, 'URL of the term.', {
    readonly: true,
    when: isListing,
    schema: address,
    read: (row, { model }) => termLink(row, model),
  }),
  text('name', shownEverywhere, 'HTML title for the term.', {
    required: true,
    write: stored('name', storedName),
  }),
  text('slug', shownEverywhere, 'An alphanumeric identifier for the term unique to its type.', {
    write: stored('slug', (slug) => slug),
  }),
  field('taxonomy', shownEverywhere, 'Type attribution for the term.', {
    readonly: true,
    when: isListing,
    schema: ({ name }) => z.enum([name]),
    json: (row) => `"${row.taxonomy}"`,
  }),
  int('parent', whole, 'The parent term ID.', {
    when: ({ hierarchical }) => hierarchical,
    write: ({ params, sent }, name) => (sent(name) === undefined ? {} : { parent: params[name] as number }),
  }),
  field('meta', whole, 'Meta fields.', {
    schema: () => z.object({}),
    json: () => '[]',
    arg: () => ({ check: checkMeta }),
  }),
  field('locations', whole, 'The locations assigned to the menu.', {
    when: (kind) => kind === menu,
    schema: () => z.array(z.string()),
    json: (row, { model }) => asciiJson(placesOf(row, model)),
    arg: () => ({ check: checkLocations }),
    write: sentValue('locations'),
  }),
  bool('auto_add', whole, 'Whether to automatically add top level pages to this menu.', {
    when: (kind) => kind === menu,
    read: (row) => menuSettingsOf(row).autoAdd,
    write: sentValue('autoAdd'),
  }),
  { name: '_links', context: everywhere, json: termLinksJson },
];

export const termFieldsOf = defineFields<TermTypes>(fields);

/** A category or tag as a record (interface behaviour, section 18). */
export function termRecord(row: TermRow, showing: TermShowing): FieldRecord {
  return termFieldsOf(termKinds[row.taxonomy]).record(showing.context, row, showing);
}

export function termSchema(kind: TermKind): unknown {
  return recordSchema(kind.title, termFieldsOf(kind).properties());
}

function stored(member: 'name' | 'slug' | 'description', form: (text: string) => string): TermField['write'] & object {
  return ({ params }, name) => {
    const value = params[name];
    return typeof value === 'string' ? { [member]: form(value) } : {};
  };
}

function sentValue(member: 'locations' | 'autoAdd'): TermField['write'] & object {
  return ({ params, sent }, name) =>
    sent(name) === undefined || sent(name) === null ? {} : { [member]: params[name] };
}

function checkLocations(value: unknown, { model }: Call<Model>): Fault | null {
  const fault = validate(value, places, 'locations');
  if (fault !== null) return fault;
  const unknown = listOf(value)?.find((name) => !menuPlaces(model).some((place) => place.name === name));
  if (unknown === undefined) return null;
  return { code: 'rest_invalid_menu_location', message: 'Invalid menu location.', data: { location: unknown } };
}

const places = descriptorOf(z.array(z.string()));

function termLinksJson(row: TermRow, { viewer, model }: TermShowing): JsonText {
  const kind = termKinds[row.taxonomy];
  const { rest, prefix, curies } = linkParts(model.site());
  const collection = `${rest}/${kind.base}`;
  const allow = JSON.stringify(methodsForTerm(viewer, { kind, term: row, model }));
  const parent = row.parent === 0 ? undefined : model.term(row.parent);
  const links = [
    `"self":[{"href":"${collection}/${row.id}","targetHints":{"allow":${allow}}}]`,
    `"collection":[{"href":"${collection}"}]`,
    `"about":[{"href":"${rest}/taxonomies/${row.taxonomy}"}]`,
    ...(parent === undefined ? [] : [`"up":[{"embeddable":true,"href":"${collection}/${parent.id}"}]`]),
    ...placeLinks(row, model, { rest, prefix }),
    `"${prefix}:post_type":[{"href":"${rest}/${kind.entries}?${kind.base}=${row.id}"}]`,
    curies,
  ];
  return `{${links.join()}}`;
}

function placeLinks(row: TermRow, model: Model, { rest, prefix }: Pick<LinkParts, 'rest' | 'prefix'>): string[] {
  const links = placesOf(row, model).map(
    (name) => `{"href":${asciiJson(`${rest}/menu-locations/${name}`)},"embeddable":true}`,
  );
  return links.length === 0 ? [] : [`"${prefix}:menu-location":[${links}]`];
}

export function writtenContext(kind: TermKind): Context {
  return kind === menu ? 'view' : 'edit';
}
