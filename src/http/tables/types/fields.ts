import { z } from 'zod';
import { type DescribedType, supportNames } from '#domain/entry/content-type.ts';
import { namespaceName } from '#domain/site/interface-names.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT, linkParts } from '#site/addresses/interface.ts';
import { asciiJson } from '#text/json.ts';
import { defineFields, type Field, recordSchema } from '../../engine/field.ts';
import { editing, everywhere, whole } from '../../engine/property.ts';
import { capabilitiesOf } from './capabilities.ts';
import { typeLabels } from './labels.ts';

interface TypeTypes {
  readonly kind: null;
  readonly row: DescribedType;
  readonly showing: Model;
  readonly model: Model;
  readonly input: unknown;
}

const shown = { readonly: true } as const;
const text = () => z.string();
const yesOrNo = () => z.boolean();
const texts = () => z.array(z.string());

/** Every field of types, in the order in which records have them. */
const fields: readonly Field<TypeTypes>[] = [
  {
    ...{ name: 'capabilities', context: editing, ...shown },
    description: 'All capabilities used by the post type.',
    schema: () => z.record(z.string(), z.string()).meta({ type: 'object' }),
    json: (row) => asciiJson(capabilitiesOf(row)),
  },
  {
    ...{ name: 'description', context: whole, ...shown },
    description: 'A human-readable description of the post type.',
    schema: text,
    json: () => '""',
  },
  {
    ...{ name: 'hierarchical', context: whole, ...shown },
    description: 'Whether or not the post type should have children.',
    schema: yesOrNo,
    json: (row) => String(row.hierarchical),
  },
  {
    ...{ name: 'has_archive', context: whole, ...shown },
    description:
      'If the value is a string, the value will be used as the archive slug. If the value is false the post type has no archive.',
    schema: () => z.union([z.string(), z.boolean()]),
    json: () => 'false',
  },
  {
    ...{ name: 'visibility', context: editing, ...shown },
    description: 'The visibility settings for the post type.',
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
  },
  {
    ...{ name: 'viewable', context: editing, ...shown },
    description: 'Whether or not the post type can be viewed.',
    schema: yesOrNo,
    json: (row) => String(row.viewable),
  },
  {
    ...{ name: 'labels', context: editing, ...shown },
    description: 'Human-readable labels for the post type for various contexts.',
    schema: () => z.record(z.string(), z.string().nullable()),
    json: (row) => asciiJson(typeLabels(row)),
  },
  {
    ...{ name: 'name', context: everywhere, ...shown },
    description: 'The title for the post type.',
    schema: text,
    json: (row) => asciiJson(row.name),
  },
  {
    ...{ name: 'slug', context: everywhere, ...shown },
    description: 'An alphanumeric identifier for the post type.',
    schema: text,
    json: (row) => asciiJson(row.slug),
  },
  {
    ...{ name: 'icon', context: everywhere, ...shown },
    description: 'The icon for the post type.',
    schema: () => z.string().nullable(),
    json: (row) => asciiJson(row.icon),
  },
  {
    ...{ name: 'supports', context: editing, ...shown },
    description: 'All features, supported by the post type.',
    schema: () => z.record(z.string(), z.unknown()),
    json: supportsJson,
  },
  {
    ...{ name: 'taxonomies', context: whole, ...shown },
    description: 'Taxonomies associated with post type.',
    schema: texts,
    json: (row) => asciiJson(row.taxonomies),
  },
  {
    ...{ name: 'rest_base', context: everywhere, ...shown },
    description: 'REST base route for the post type.',
    schema: text,
    json: (row) => asciiJson(row.base),
  },
  {
    ...{ name: 'rest_namespace', context: everywhere, ...shown },
    description: "REST route's namespace for the post type.",
    schema: text,
    json: (_, model) => asciiJson(namespaceName(model.site().names, CONTENT)),
  },
  {
    ...{ name: 'template', context: everywhere, ...shown },
    description: 'The block template associated with the post type.',
    schema: () => z.array(z.unknown()),
    json: () => '[]',
  },
  {
    ...{ name: 'template_lock', context: everywhere, ...shown },
    description: 'The template_lock associated with the post type, or false if none.',
    schema: () =>
      z
        .union([z.enum(['all', 'insert', 'contentOnly']), z.literal(false)])
        .meta({ type: ['string', 'boolean'], enum: ['all', 'insert', 'contentOnly', false] }),
    json: () => 'false',
  },
  { name: '_links', context: everywhere, json: (row, model) => linksJson('types', row.base, model) },
];

export const typeFields = defineFields<TypeTypes>(fields)(null);

export const typeSchema = (): unknown => recordSchema('type', typeFields.properties());

/** Links of a type or taxonomy: to its collection, and to its items. */
export function linksJson(collection: string, base: string, model: Model): string {
  const { rest, prefix, curies } = linkParts(model.site());
  const items = `"${prefix}:items":[{"href":"${rest}/${base}"}]`;
  return `{"collection":[{"href":"${rest}/${collection}"}],${items},${curies}}`;
}

function supportsJson({ supports }: DescribedType): string {
  const offered = supportNames.filter((name) => name !== 'notes' && supports.has(name));
  const editor = supports.has('notes') ? [{ notes: true }] : true;
  return asciiJson(Object.fromEntries(offered.map((name) => [name, name === 'editor' ? editor : true])));
}
