import { z } from 'zod';
import type { TermFields } from '#domain/term/commands.ts';
import { type TermKind, termKinds } from '#domain/term/kinds.ts';
import { storedName } from '#domain/term/text.ts';
import type { Model } from '#projections/model.ts';
import type { TermRow } from '#projections/terms.ts';
import { asciiJson } from '#text/json.ts';
import { defineFields, type Field, type FieldRecord, recordSchema } from '../../engine/field.ts';
import { everywhere, whole } from '../../engine/property.ts';
import type { Context } from '../../engine/types.ts';
import { filterTitle } from '../entries/body.ts';
import { checkMeta } from '../entries/checks.ts';
import { termLink } from './links.ts';
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
    write: stored('name', storedName),
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
  { name: '_links', context: everywhere, json: linksJson },
];

/** The fields that a kind of term has. */
export const termFieldsOf = defineFields<TermTypes>(fields);

/** A category or tag as a record (interface behaviour, section 18). */
export function termRecord(row: TermRow, showing: Showing): FieldRecord {
  return termFieldsOf(termKinds[row.taxonomy]).record(showing.context, row, showing);
}

/** The record schema of a kind of term. */
export function termSchema(kind: TermKind): unknown {
  return recordSchema(kind.title, termFieldsOf(kind).properties());
}

/** Reads a text in the form in which it is stored. A null stands for the empty one. */
function stored(member: 'name' | 'slug' | 'description', form: (text: string) => string): TermField['write'] & object {
  return ({ params }, name) => {
    const value = params[name];
    return typeof value === 'string' ? { [member]: form(value) } : {};
  };
}
