import { z } from 'zod';
import { namespaceName } from '#domain/site/interface-names.ts';
import type { TermKind } from '#domain/term/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { typesOf } from '#site/types.ts';
import { asciiJson } from '#text/json.ts';
import { defineFields, type Field, recordSchema } from '../../engine/field.ts';
import { editing, everywhere, whole } from '../../engine/property.ts';
import { linksJson } from '../types/fields.ts';
import { taxonomyLabels } from '../types/labels.ts';

interface TaxonomyTypes {
  readonly kind: null;
  readonly row: TermKind;
  readonly showing: Model;
  readonly model: Model;
  readonly input: unknown;
}

const shown = { readonly: true } as const;
const text = () => z.string();
const yesOrNo = () => z.boolean();

/** Every field of taxonomies, in the order in which records have them. */
const fields: readonly Field<TaxonomyTypes>[] = [
  {
    ...{ name: 'name', context: everywhere, ...shown },
    description: 'The title for the taxonomy.',
    schema: text,
    json: ({ type }) => asciiJson(type.name),
  },
  {
    ...{ name: 'slug', context: everywhere, ...shown },
    description: 'An alphanumeric identifier for the taxonomy.',
    schema: text,
    json: (row) => asciiJson(row.name),
  },
  {
    ...{ name: 'capabilities', context: editing, ...shown },
    description: 'All capabilities used by the taxonomy.',
    schema: () => z.record(z.string(), z.string()),
    json: capabilitiesJson,
  },
  {
    ...{ name: 'description', context: whole, ...shown },
    description: 'A human-readable description of the taxonomy.',
    schema: text,
    json: () => '""',
  },
  {
    ...{ name: 'labels', context: editing, ...shown },
    description: 'Human-readable labels for the taxonomy for various contexts.',
    schema: () => z.record(z.string(), z.string().nullable()),
    json: ({ type, hierarchical }) => asciiJson(taxonomyLabels({ ...type, hierarchical })),
  },
  {
    ...{ name: 'types', context: whole, ...shown },
    description: 'Types associated with the taxonomy.',
    schema: () => z.array(z.string()),
    json: ({ name }, model) => asciiJson(typesWith(name, model)),
  },
  {
    ...{ name: 'show_cloud', context: editing, ...shown },
    description: 'Whether or not the term cloud should be displayed.',
    schema: yesOrNo,
    json: ({ type }) => String(type.viewable),
  },
  {
    ...{ name: 'hierarchical', context: whole, ...shown },
    description: 'Whether or not the taxonomy should have children.',
    schema: yesOrNo,
    json: (row) => String(row.hierarchical),
  },
  {
    ...{ name: 'rest_base', context: everywhere, ...shown },
    description: 'REST base route for the taxonomy.',
    schema: text,
    json: (row) => asciiJson(row.base),
  },
  {
    ...{ name: 'rest_namespace', context: everywhere, ...shown },
    description: 'REST namespace route for the taxonomy.',
    schema: text,
    json: (_, model) => asciiJson(namespaceName(model.site().names, CONTENT)),
  },
  {
    ...{ name: 'visibility', context: editing, ...shown },
    description: 'The visibility settings for the taxonomy.',
    schema: () => z.record(z.string(), z.boolean()),
    json: visibilityJson,
  },
  { name: '_links', context: everywhere, json: (row, model) => linksJson('taxonomies', row.base, model) },
];

export const taxonomyFields = defineFields<TaxonomyTypes>(fields)(null);

export const taxonomySchema = (): unknown => recordSchema('taxonomy', taxonomyFields.properties());

export function typesWith(taxonomy: string, model: Model): readonly string[] {
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
