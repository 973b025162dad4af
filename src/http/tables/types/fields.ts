import { z } from 'zod';
import { type ContentType, type DescribedType, supportNames } from '#domain/entry/content-type.ts';
import { namespaceName } from '#domain/site/interface-names.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT, linkParts } from '#site/addresses/interface.ts';
import { asciiJson } from '#text/json.ts';
import { defineFields, type Field, fieldConstructors, recordSchema } from '../../engine/field.ts';
import { editing, everywhere, whole } from '../../engine/property.ts';
import { typeLabels } from './labels.ts';

const names = [
  'edit_post',
  'read_post',
  'delete_post',
  'edit_posts',
  'edit_others_posts',
  'delete_posts',
  'publish_posts',
  'read_private_posts',
  'read',
  'delete_private_posts',
  'delete_published_posts',
  'delete_others_posts',
  'edit_private_posts',
  'edit_published_posts',
  'create_posts',
];

interface TypeTypes {
  readonly kind: null;
  readonly row: DescribedType;
  readonly showing: Model;
  readonly model: Model;
  readonly input: unknown;
}

const texts = () => z.array(z.string());

const { bool, field, text } = fieldConstructors<TypeTypes>();

/** Every field of types, in the order in which records have them. */
const fields: readonly Field<TypeTypes>[] = [
  field('capabilities', editing, 'All capabilities used by the post type.', {
    readonly: true,
    schema: () => z.record(z.string(), z.string()).meta({ type: 'object' }),
    json: (row) => asciiJson(typeCapabilities(row)),
  }),
  text('description', whole, 'A human-readable description of the post type.', { readonly: true, json: () => '""' }),
  bool('hierarchical', whole, 'Whether or not the post type should have children.', { readonly: true }),
  field(
    'has_archive',
    whole,
    'If the value is a string, the value will be used as the archive slug. If the value is false the post type has no archive.',
    { readonly: true, schema: () => z.union([z.string(), z.boolean()]), json: () => 'false' },
  ),
  field('visibility', editing, 'The visibility settings for the post type.', {
    readonly: true,
    schema: () =>
      z
        .object({
          show_in_nav_menus: z
            .boolean()
            .describe('Whether to make the post type available for selection in navigation menus.'),
          show_ui: z.boolean().describe('Whether to generate a default UI for managing this post type.'),
        })
        .partial(),
    json: (row) => asciiJson({ show_in_nav_menus: row.inMenus, show_ui: row.hasUi !== false }),
  }),
  bool('viewable', editing, 'Whether or not the post type can be viewed.', { readonly: true }),
  field('labels', editing, 'Human-readable labels for the post type for various contexts.', {
    readonly: true,
    schema: () => z.record(z.string(), z.string().nullable()),
    json: (row) => asciiJson(typeLabels(row)),
  }),
  text('name', everywhere, 'The title for the post type.', { readonly: true }),
  text('slug', everywhere, 'An alphanumeric identifier for the post type.', { readonly: true }),
  field('icon', everywhere, 'The icon for the post type.', {
    readonly: true,
    schema: () => z.string().nullable(),
    json: (row) => asciiJson(row.icon),
  }),
  field('supports', editing, 'All features, supported by the post type.', {
    readonly: true,
    schema: () => z.record(z.string(), z.unknown()),
    json: supportsJson,
  }),
  field('taxonomies', whole, 'Taxonomies associated with post type.', {
    readonly: true,
    schema: texts,
    json: (row) => asciiJson(row.taxonomies),
  }),
  text('rest_base', everywhere, 'REST base route for the post type.', { readonly: true, read: (row) => row.base }),
  text('rest_namespace', everywhere, "REST route's namespace for the post type.", {
    readonly: true,
    read: (_, model) => namespaceName(model.site().names, CONTENT),
  }),
  field('template', everywhere, 'The block template associated with the post type.', {
    readonly: true,
    schema: () => z.array(z.unknown()),
    json: () => '[]',
  }),
  field('template_lock', everywhere, 'The template_lock associated with the post type, or false if none.', {
    readonly: true,
    schema: () =>
      z
        .union([z.enum(['all', 'insert', 'contentOnly']), z.literal(false)])
        .meta({ type: ['string', 'boolean'], enum: ['all', 'insert', 'contentOnly', false] }),
    json: () => 'false',
  }),
  { name: '_links', context: everywhere, json: (row, model) => typeLinksJson('types', row.base, model) },
];

export const typeFields = defineFields<TypeTypes>(fields)(null);

export const typeSchema = (): unknown => recordSchema('type', typeFields.properties());

/** Links of a type or taxonomy: to its collection, and to its items. */
export function typeLinksJson(collection: string, base: string, model: Model): string {
  const { rest, prefix, curies } = linkParts(model.site());
  const items = `"${prefix}:items":[{"href":"${rest}/${base}"}]`;
  return `{"collection":[{"href":"${rest}/${collection}"}],${items},${curies}}`;
}

function supportsJson({ supports }: DescribedType): string {
  const offered = supportNames.filter((name) => name !== 'notes' && supports.has(name));
  const editor = supports.has('notes') ? [{ notes: true }] : true;
  return asciiJson(Object.fromEntries(offered.map((name) => [name, name === 'editor' ? editor : true])));
}

function typeCapabilities({ noun, rightNames = {} }: ContentType): Readonly<Record<string, string>> {
  const own = (name: string) => (name === 'create_posts' ? 'edit_posts' : name).replace('post', noun);
  return Object.fromEntries(names.map((name) => [name, rightNames[name] ?? own(name)]));
}
