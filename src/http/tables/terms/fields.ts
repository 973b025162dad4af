import { z } from 'zod';
import type { TermFields } from '#domain/term/commands.ts';
import { menu, type TermKind, termKinds } from '#domain/term/kinds.ts';
import { settingsOf } from '#domain/term/menus.ts';
import { storedName } from '#domain/term/text.ts';
import type { Model } from '#projections/reading/model.ts';
import type { TermRow } from '#projections/terms/definition.ts';
import { termLink } from '#site/addresses/terms.ts';
import { menuPlaces, placesOf } from '#site/menus/places.ts';
import { asciiJson } from '#text/json.ts';
import { listOf } from '#text/shapes.ts';
import { descriptorOf } from '../../engine/descriptors.ts';
import { defineFields, type Field, type FieldRecord, recordSchema } from '../../engine/field.ts';
import { everywhere, whole } from '../../engine/property.ts';
import type { Call, Context, Fault } from '../../engine/types.ts';
import { validate } from '../../engine/validate.ts';
import { filterTitle } from '../entries/body.ts';
import { checkMeta } from '../entries/checks.ts';
import { linksJson } from './relations.ts';
import type { Showing } from './showing.ts';

interface TermTypes {
  readonly kind: TermKind;
  readonly row: TermRow;
  readonly showing: Showing;
  readonly model: Model;
  readonly input: TermFields;
}
type TermField = Field<TermTypes>;

const shownEverywhere: readonly Context[] = ['view', 'embed', 'edit'];
const text = () => z.string();
const isListing = (kind: TermKind) => kind !== menu;

/** Every field of categories and tags, in the order in which records and the schema have them. */
const fields: readonly TermField[] = [
  {
    name: 'id',
    context: shownEverywhere,
    readonly: true,
    description: 'Unique identifier for the term.',
    schema: () => z.int(),
    json: (row) => String(row.id),
  },
  {
    name: 'count',
    when: isListing,
    context: whole,
    readonly: true,
    description: 'Number of published posts for the term.',
    schema: () => z.int(),
    json: (row) => String(row.published),
  },
  {
    name: 'description',
    context: whole,
    description: 'HTML description of the term.',
    schema: text,
    json: (row) => asciiJson(row.description),
    write: stored('description', filterTitle),
  },
  {
    name: 'link',
    when: isListing,
    context: shownEverywhere,
    readonly: true,
    description: 'URL of the term.',
    schema: () => z.string().meta({ format: 'uri' }),
    json: (row, { model }) => asciiJson(termLink(row, model)),
  },
  {
    name: 'name',
    context: shownEverywhere,
    description: 'HTML title for the term.',
    required: true,
    schema: text,
    json: (row) => asciiJson(row.name),
    write: (call, name, kind) => stored('name', kind === menu ? storedMenuName : storedName)(call, name, kind),
  },
  {
    name: 'slug',
    context: shownEverywhere,
    description: 'An alphanumeric identifier for the term unique to its type.',
    schema: text,
    json: (row) => asciiJson(row.slug),
    write: stored('slug', (slug) => slug),
  },
  {
    name: 'taxonomy',
    when: isListing,
    context: shownEverywhere,
    readonly: true,
    description: 'Type attribution for the term.',
    schema: ({ name }) => z.enum([name]),
    json: (row) => `"${row.taxonomy}"`,
  },
  {
    name: 'parent',
    context: whole,
    when: ({ hierarchical }) => hierarchical,
    description: 'The parent term ID.',
    schema: () => z.int(),
    json: (row) => String(row.parent),
    write: ({ params, sent }, name) => (sent(name) === undefined ? {} : { parent: params[name] as number }),
  },
  {
    name: 'meta',
    context: whole,
    description: 'Meta fields.',
    schema: () => z.object({}),
    json: () => '[]',
    arg: () => ({ check: checkMeta }),
  },
  {
    name: 'locations',
    context: whole,
    when: (kind) => kind === menu,
    description: 'The locations assigned to the menu.',
    schema: () => z.array(z.string()),
    json: (row, { model }) => asciiJson(placesOf(row, model)),
    arg: () => ({ check: checkLocations }),
    write: sentValue('locations'),
  },
  {
    name: 'auto_add',
    context: whole,
    when: (kind) => kind === menu,
    description: 'Whether to automatically add top level pages to this menu.',
    schema: () => z.boolean(),
    json: (row) => String(settingsOf(row).autoAdd),
    write: sentValue('autoAdd'),
  },
  { name: '_links', context: everywhere, json: linksJson },
];

export const termFieldsOf = defineFields<TermTypes>(fields);

/** A category or tag as a record (interface behaviour, section 18). */
export function termRecord(row: TermRow, showing: Showing): FieldRecord {
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

/** Menu names are inserted into markup as they are stored, so quotation marks are references, too. */
function storedMenuName(text: string): string {
  return storedName(text).replaceAll('"', '&quot;').replaceAll("'", '&#039;');
}

function checkLocations(value: unknown, { model }: Call<Model>): Fault | null {
  const fault = validate(value, places, 'locations');
  if (fault !== null) return fault;
  const unknown = listOf(value)?.find((name) => !menuPlaces(model).some((place) => place.name === name));
  if (unknown === undefined) return null;
  return { code: 'rest_invalid_menu_location', message: 'Invalid menu location.', data: { location: unknown } };
}

const places = descriptorOf(z.array(z.string()));
