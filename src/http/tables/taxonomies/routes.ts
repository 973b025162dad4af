import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { namespaceName } from '#domain/site/interface-names.ts';
import { allTermKinds as all, type TermKind } from '#domain/term/kinds.ts';
import { may, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { typesOf } from '#site/types.ts';
import { asciiJson } from '#text/json.ts';
import type { Answer, Args, Call, Context, Route } from '../../engine/types.ts';
import { keyedBy } from '../records/answers.ts';
import { defineFields, type Field, fieldConstructors, type ReadFieldTypes, recordSchema } from '../records/field.ts';
import { editing, everywhere, whole } from '../records/property.ts';
import { contextArg } from '../records/usual-args.ts';
import { taxonomyLabels, typeLinksJson } from '../types/fields.ts';

type TaxonomyTypes = ReadFieldTypes<TermKind, Model>;

const namespace = CONTENT;
const collection = `/${namespace}/taxonomies`;
const { bool, field, text } = fieldConstructors<TaxonomyTypes>({ readonly: true });

/** Every field of taxonomies, in the order in which records have them. */
const fields: readonly Field<TaxonomyTypes>[] = [
  text('name', everywhere, 'The title for the taxonomy.', { read: ({ type }) => type.name }),
  text('slug', everywhere, 'An alphanumeric identifier for the taxonomy.', { read: (row) => row.name }),
  field('capabilities', editing, 'All capabilities used by the taxonomy.', {
    schema: () => z.record(z.string(), z.string()),
    json: capabilitiesJson,
  }),
  text('description', whole, 'A human-readable description of the taxonomy.', { json: () => '""' }),
  field('labels', editing, 'Human-readable labels for the taxonomy for various contexts.', {
    schema: () => z.record(z.string(), z.string().nullable()),
    json: ({ type, hierarchical }) => asciiJson(taxonomyLabels({ ...type, hierarchical })),
  }),
  field('types', whole, 'Types associated with the taxonomy.', {
    schema: () => z.array(z.string()),
    json: ({ name }, model) => asciiJson(typesWith(name, model)),
  }),
  bool('show_cloud', editing, 'Whether or not the term cloud should be displayed.', {
    read: ({ type }) => type.viewable,
  }),
  bool('hierarchical', whole, 'Whether or not the taxonomy should have children.'),
  text('rest_base', everywhere, 'REST base route for the taxonomy.', { read: (row) => row.base }),
  text('rest_namespace', everywhere, 'REST namespace route for the taxonomy.', {
    read: (_, model) => namespaceName(model.site().names, CONTENT),
  }),
  field('visibility', editing, 'The visibility settings for the taxonomy.', {
    schema: () => z.record(z.string(), z.boolean()),
    json: visibilityJson,
  }),
  { name: '_links', context: everywhere, json: (row, model) => typeLinksJson('taxonomies', row.base, model) },
];

const taxonomyFields = defineFields<TaxonomyTypes>(fields)(null);

const depends = () => ['site', 'plugins'];

const listArgs: Args<Model> = {
  context: contextArg,
  type: { schema: z.string().describe('Limit results to taxonomies associated with a specific post type.') },
};
const itemArgs: Args<Model> = {
  taxonomy: { schema: z.string().describe('An alphanumeric identifier for the taxonomy.') },
  context: contextArg,
};

/** Exist but are never shown: post formats, which are terms in the reference system. */
const hidden: ReadonlySet<string> = new Set(['post_format']);

/** Taxonomies (interface behaviour, section 31). */
export function taxonomyRoutes(): readonly Route<Model, Session>[] {
  const schema = taxonomySchema;
  return [
    {
      namespace,
      pattern: collection,
      schema,
      endpoints: [
        { methods: ['GET'], args: listArgs, permission: mayList, query: listTaxonomies, depends, keyed: true },
      ],
    },
    {
      namespace,
      pattern: `${collection}/(?P<taxonomy>[\\w-]+)`,
      schema,
      endpoints: [{ methods: ['GET'], args: itemArgs, permission: mayShow, query: showTaxonomy, depends }],
    },
  ];
}

function mayList({ params, viewer }: Call<Model>): Refusal | null {
  return params['context'] !== 'edit' || all.some((kind) => mayAssign(viewer, kind))
    ? null
    : refuse('rest_cannot_view', 'Sorry, you are not allowed to manage terms in this taxonomy.');
}

function mayShow({ params, viewer }: Call<Model>): Refusal | null {
  const taxonomy = String(params['taxonomy']);
  if (hidden.has(taxonomy)) return refuse('rest_forbidden', 'Sorry, you are not allowed to do that.');
  const kind = find(taxonomy);
  return kind === undefined || params['context'] !== 'edit' || mayAssign(viewer, kind)
    ? null
    : refuse('rest_forbidden_context', 'Sorry, you are not allowed to manage terms in this taxonomy.');
}

function listTaxonomies({ params, viewer, model }: Call<Model>): Answer {
  const context = params['context'] as Context;
  const type = String(params['type'] ?? '');
  const kinds = all.filter(
    (kind) =>
      (type === '' || typesWith(kind.name, model).includes(type)) && (context !== 'edit' || mayAssign(viewer, kind)),
  );
  return keyedBy(kinds.map((kind) => [kind.name, taxonomyFields.record(context, kind, model)]));
}

function showTaxonomy({ params, model }: Call<Model>): Answer | Refusal {
  const kind = find(String(params['taxonomy']));
  if (kind === undefined) return refuse('rest_taxonomy_invalid', 'Invalid taxonomy.');
  return { body: { kind: 'record', record: taxonomyFields.record(params['context'] as Context, kind, model) } };
}

function find(slug: string): TermKind | undefined {
  return all.find(({ name }) => name === slug);
}

function mayAssign(viewer: Viewer, { rights }: TermKind): boolean {
  return may(viewer, rights.assign);
}

const taxonomySchema = (): unknown => recordSchema('taxonomy', taxonomyFields.properties());

function typesWith(taxonomy: string, model: Model): readonly string[] {
  return typesOf(model).flatMap(({ slug, taxonomies }) => (taxonomies.includes(taxonomy) ? [slug] : []));
}

function capabilitiesJson({ type: { noun, rightNames = {} } }: TermKind): string {
  const names = ['manage', 'edit', 'delete', 'assign'].map((act) => [`${act}_terms`, `${act}_${noun}`] as const);
  return asciiJson(Object.fromEntries(names.map(([name, own]) => [name, rightNames[name] ?? own])));
}

function visibilityJson({ type: { viewable, hasUi } }: TermKind): string {
  const isListed = hasUi !== false;
  return asciiJson({
    public: viewable,
    publicly_queryable: viewable,
    show_admin_column: isListed,
    show_in_nav_menus: viewable,
    show_in_quick_edit: isListed,
    show_ui: isListed,
  });
}
