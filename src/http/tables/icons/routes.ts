import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { allIcons, COLLECTION } from '#site/rendering/blocks/icons.ts';
import { maySeeEditors } from '#site/rights.ts';
import { asciiJson } from '#text/json.ts';
import type { Answer, Args, Call, Context, Route } from '../../engine/types.ts';
import { defineFields, type Field, type FieldSet, type ReadFieldTypes, recordSchema } from '../records/field.ts';
import { everywhere } from '../records/property.ts';
import { contextArg } from '../records/usual-args.ts';

type Row = Readonly<Record<string, string>>;
type Texts = ReadFieldTypes<Row, Model>;

const WORD = '[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?';
const search: Args<Model> = { search: { schema: z.string().describe('Limit results to those matching a string.') } };
const depends = () => [];

const iconFields = fieldsOf({
  name: 'The icon name.',
  label: 'The icon label.',
  content: 'The icon content (SVG markup).',
  collection: 'The slug of the collection of the icon.',
});
const collectionFields = fieldsOf({
  slug: 'The collection slug.',
  label: 'The collection label.',
  description: 'The collection description.',
});

const icons: readonly Row[] = [...allIcons.values()].map((icon) => ({ ...icon, collection: COLLECTION }));
const collection: Row = {
  slug: COLLECTION,
  label: 'Icons of the server',
  description: 'Icons that texts show with the block core/icon.',
};

const iconRoute = { schema: () => recordSchema('icon', iconFields.properties()), namespace: CONTENT } as const;
const collectionRoute = {
  schema: () => recordSchema('icon-collection', collectionFields.properties()),
  namespace: CONTENT,
} as const;

/** Icons that the block `core/icon` shows (interface behaviour, section 38). */
export function iconRoutes(): readonly Route<Model, Session>[] {
  const reading = { methods: ['GET'], depends } as const;
  const one = { ...reading, args: { context: contextArg } };
  const many = { ...reading, listed: true, permission: mayRead } as const;
  const listed = { ...many, args: { ...search, context: contextArg }, query: listOf(iconFields, found) };
  const own = { ...listed, permission: (call: Call<Model>) => mayRead(call) ?? (isOwn(call) ? null : noCollection) };
  return [
    { ...iconRoute, pattern: `/${CONTENT}/icons`, endpoints: [listed] },
    { ...iconRoute, pattern: `/${CONTENT}/icons/(?P<collection>${WORD})`, endpoints: [own] },
    {
      ...iconRoute,
      pattern: `/${CONTENT}/icons/(?P<collection>${WORD})/(?P<name>${WORD})`,
      endpoints: [{ ...one, permission: mayRead, query: (call) => shown(iconFields, iconIn(call), call) ?? noIcon }],
    },
    {
      ...collectionRoute,
      pattern: `/${CONTENT}/icon-collections`,
      endpoints: [{ ...many, args: { context: contextArg }, query: listOf(collectionFields, () => [collection]) }],
    },
    {
      ...collectionRoute,
      pattern: `/${CONTENT}/icon-collections/(?P<slug>${WORD})`,
      endpoints: [
        {
          ...one,
          permission: mayRead,
          query: (call) => shown(collectionFields, isOwn(call) ? collection : undefined, call) ?? noCollection,
        },
      ],
    },
  ];
}

const noIcon = refuse('rest_icon_not_found', 'Icon not found.');
const noCollection = refuse('rest_icon_collection_not_found', 'Icon collection not found.');

function mayRead({ viewer, model }: Call<Model>): Refusal | null {
  return maySeeEditors(viewer, model) ? null : refuse('rest_cannot_view', 'Sorry, you are not allowed to view icons.');
}

function isOwn({ params }: Call<Model>): boolean {
  return (params['collection'] ?? params['slug']) === COLLECTION;
}

function iconIn({ params }: Call<Model>): Row | undefined {
  return icons.find(({ name }) => name === `${params['collection']}/${params['name']}`);
}

function found({ params }: Call<Model>): readonly Row[] {
  const words = String(params['search'] ?? '').toLowerCase();
  return icons.filter(({ name = '', label = '' }) => name.includes(words) || label.toLowerCase().includes(words));
}

const listOf =
  (fields: FieldSet<Texts>, rows: (call: Call<Model>) => readonly Row[]) =>
  (call: Call<Model>): Answer => {
    const records = rows(call).map((row) => fields.record(call.params['context'] as Context, row, call.model));
    return { body: { kind: 'list', records } };
  };

function shown(fields: FieldSet<Texts>, row: Row | undefined, { params, model }: Call<Model>): Answer | null {
  return row === undefined
    ? null
    : { body: { kind: 'record', record: fields.record(params['context'] as Context, row, model) } };
}

function fieldsOf(descriptions: Readonly<Record<string, string>>): FieldSet<Texts> {
  const fields = Object.entries(descriptions).map(
    ([name, description]): Field<Texts> => ({
      name,
      description,
      context: everywhere,
      readonly: true,
      schema: () => z.string(),
      json: (row) => asciiJson(row[name] ?? ''),
    }),
  );
  return defineFields(fields)(null);
}
