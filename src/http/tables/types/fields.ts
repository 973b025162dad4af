import { z } from 'zod';
import { archiveTitle, type ContentType, type DescribedType, supportNames } from '#domain/entry/content-type.ts';
import { namespaceName } from '#domain/site/interface-names.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT, linkParts } from '#site/addresses/interface.ts';
import { asciiJson } from '#text/json.ts';
import { defineFields, type Field, fieldConstructors, type ReadFieldTypes, recordSchema } from '../records/field.ts';
import { editing, everywhere, whole } from '../records/property.ts';

type TypeTypes = ReadFieldTypes<DescribedType, Model>;

/** Display names of a type, for one item and for several: `Post`, `Posts`. */
export interface Names {
  readonly name: string;
  readonly singular: string;
  readonly hierarchical: boolean;
}

export type Labels = Readonly<Record<string, string | null>>;

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

const texts = () => z.array(z.string());

const { bool, field, text } = fieldConstructors<TypeTypes>({ readonly: true });

/** Every field of types, in the order in which records have them. */
const fields: readonly Field<TypeTypes>[] = [
  field('capabilities', editing, 'All capabilities used by the post type.', {
    schema: () => z.record(z.string(), z.string()).meta({ type: 'object' }),
    json: (row) => asciiJson(typeCapabilities(row)),
  }),
  text('description', whole, 'A human-readable description of the post type.', { json: () => '""' }),
  bool('hierarchical', whole, 'Whether or not the post type should have children.'),
  field(
    'has_archive',
    whole,
    'If the value is a string, the value will be used as the archive slug. If the value is false the post type has no archive.',
    { schema: () => z.union([z.string(), z.boolean()]), json: () => 'false' },
  ),
  field('visibility', editing, 'The visibility settings for the post type.', {
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
  bool('viewable', editing, 'Whether or not the post type can be viewed.'),
  field('labels', editing, 'Human-readable labels for the post type for various contexts.', {
    schema: () => z.record(z.string(), z.string().nullable()),
    json: (row) => asciiJson(typeLabels(row)),
  }),
  text('name', everywhere, 'The title for the post type.'),
  text('slug', everywhere, 'An alphanumeric identifier for the post type.'),
  field('icon', everywhere, 'The icon for the post type.', {
    schema: () => z.string().nullable(),
    json: (row) => asciiJson(row.icon),
  }),
  field('supports', editing, 'All features, supported by the post type.', {
    schema: () => z.record(z.string(), z.unknown()),
    json: supportsJson,
  }),
  field('taxonomies', whole, 'Taxonomies associated with post type.', {
    schema: texts,
    json: (row) => asciiJson(row.taxonomies),
  }),
  text('rest_base', everywhere, 'REST base route for the post type.', { read: (row) => row.base }),
  text('rest_namespace', everywhere, "REST route's namespace for the post type.", {
    read: (_, model) => namespaceName(model.site().names, CONTENT),
  }),
  field('template', everywhere, 'The block template associated with the post type.', {
    schema: () => z.array(z.unknown()),
    json: () => '[]',
  }),
  field('template_lock', everywhere, 'The template_lock associated with the post type, or false if none.', {
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

/** Texts for a content type in editors. Null: not applicable to the type. */
function typeLabels({ name, singular, hierarchical }: Names): Labels {
  const [many, one] = [name.toLowerCase(), singular.toLowerCase()];
  return {
    name,
    singular_name: singular,
    add_new: `Add ${singular}`,
    add_new_item: `Add ${singular}`,
    edit_item: `Edit ${singular}`,
    new_item: `New ${singular}`,
    view_item: `View ${singular}`,
    view_items: `View ${name}`,
    search_items: `Search ${name}`,
    not_found: `No ${many} found.`,
    not_found_in_trash: `No ${many} found in the trash.`,
    parent_item_colon: hierarchical ? `Parent ${singular}:` : null,
    all_items: `All ${name}`,
    archives: archiveTitle({ singular }),
    attributes: `${singular} attributes`,
    insert_into_item: `Insert into ${one}`,
    uploaded_to_this_item: `Uploaded to this ${one}`,
    featured_image: 'Featured image',
    set_featured_image: 'Set featured image',
    remove_featured_image: 'Remove featured image',
    use_featured_image: 'Use as featured image',
    filter_items_list: `Filter the list of ${many}`,
    filter_by_date: 'Filter by date',
    items_list_navigation: `Pages of the list of ${many}`,
    items_list: `List of ${many}`,
    item_published: `${singular} published.`,
    item_published_privately: `${singular} published privately.`,
    item_reverted_to_draft: `${singular} is a draft again.`,
    item_trashed: `${singular} moved to the trash.`,
    item_scheduled: `${singular} scheduled.`,
    item_updated: `${singular} updated.`,
    item_link: `${singular} link`,
    item_link_description: `A link to a ${one}.`,
    menu_name: name,
    name_admin_bar: singular,
    template_name: `Single item: ${singular}`,
  };
}

/** Texts for a taxonomy in editors. Null: not applicable to its terms. */
export function taxonomyLabels({ name, singular, hierarchical }: Names): Labels {
  const many = name.toLowerCase();
  const [nested, flat] = hierarchical ? [(text: string) => text, () => null] : [() => null, (text: string) => text];
  return {
    name,
    singular_name: singular,
    search_items: `Search ${name}`,
    popular_items: flat(`Popular ${name}`),
    all_items: `All ${name}`,
    parent_item: nested(`Parent ${singular}`),
    parent_item_colon: nested(`Parent ${singular}:`),
    name_field_description: 'The name as it appears on the site.',
    slug_field_description: 'The name in addresses: lower-case letters, numbers and hyphens.',
    parent_field_description: nested('A parent makes a hierarchy.'),
    desc_field_description: 'The description is shown where the site has a place for it.',
    edit_item: `Edit ${singular}`,
    view_item: `View ${singular}`,
    update_item: `Update ${singular}`,
    add_new_item: `Add ${singular}`,
    new_item_name: `Name of the new ${singular.toLowerCase()}`,
    template_name: `Archive: ${singular}`,
    separate_items_with_commas: flat(`Separate ${many} with commas`),
    add_or_remove_items: flat(`Add or remove ${many}`),
    choose_from_most_used: flat(`Choose from the most used ${many}`),
    not_found: `No ${many} found.`,
    no_terms: `No ${many}`,
    filter_by_item: nested(`Filter by ${singular.toLowerCase()}`),
    items_list_navigation: `Pages of the list of ${many}`,
    items_list: `List of ${many}`,
    most_used: 'Most used',
    back_to_items: `Back to ${many}`,
    item_link: `${singular} link`,
    item_link_description: `A link to a ${singular.toLowerCase()}.`,
    menu_name: name,
    name_admin_bar: singular,
  };
}
