import { z } from 'zod';
import { namespaceName } from '#domain/site/interface-names.ts';
import type { TermKind } from '#domain/term/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { typesOf } from '#site/types.ts';
import { asciiJson } from '#text/json.ts';
import { defineFields, type Field, fieldConstructors, recordSchema } from '../../engine/field.ts';
import { editing, everywhere, whole } from '../../engine/property.ts';
import { typeLinksJson } from '../types/fields.ts';
import { taxonomyLabels } from '../types/labels.ts';

interface TaxonomyTypes {
  readonly kind: null;
  readonly row: TermKind;
  readonly showing: Model;
  readonly model: Model;
  readonly input: unknown;
}

const { bool, field, text } = fieldConstructors<TaxonomyTypes>();

/** Every field of taxonomies, in the order in which records have them. */
const fields: readonly Field<TaxonomyTypes>[] = [
  text('name', everywhere, 'The title for the taxonomy.', { readonly: true, read: ({ type }) => type.name }),
  text('slug', everywhere, 'An alphanumeric identifier for the taxonomy.', { readonly: true, read: (row) => row.name }),
  field('capabilities', editing, 'All capabilities used by the taxonomy.', {
    readonly: true,
    schema: () => z.record(z.string(), z.string()),
    json: capabilitiesJson,
  }),
  text('description', whole, 'A human-readable description of the taxonomy.', { readonly: true, json: () => '""' }),
  field('labels', editing, 'Human-readable labels for the taxonomy for various contexts.', {
    readonly: true,
    schema: () => z.record(z.string(), z.string().nullable()),
    json: ({ type, hierarchical }) => asciiJson(taxonomyLabels({ ...type, hierarchical })),
  }),
  field('types', whole, 'Types associated with the taxonomy.', {
    readonly: true,
    schema: () => z.array(z.string()),
    json: ({ name }, model) => asciiJson(typesWith(name, model)),
  }),
  bool('show_cloud', editing, 'Whether or not the term cloud should be displayed.', {
    readonly: true,
    read: ({ type }) => type.viewable,
  }),
  bool('hierarchical', whole, 'Whether or not the taxonomy should have children.', { readonly: true }),
  text('rest_base', everywhere, 'REST base route for the taxonomy.', { readonly: true, read: (row) => row.base }),
  text('rest_namespace', everywhere, 'REST namespace route for the taxonomy.', {
    readonly: true,
    read: (_, model) => namespaceName(model.site().names, CONTENT),
  }),
  field('visibility', editing, 'The visibility settings for the taxonomy.', {
    readonly: true,
    schema: () => z.record(z.string(), z.boolean()),
    json: visibilityJson,
  }),
  { name: '_links', context: everywhere, json: (row, model) => typeLinksJson('taxonomies', row.base, model) },
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
