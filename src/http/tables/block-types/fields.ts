import { z } from 'zod';
import type { Model } from '#projections/reading/model.ts';
import { linkParts } from '#site/addresses/interface.ts';
import type { BlockType } from '#text/block-types/block-type.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { defineFields, type Field, fieldConstructors, recordSchema } from '../../engine/field.ts';
import { everywhere } from '../../engine/property.ts';

interface BlockTypes {
  readonly kind: null;
  readonly row: BlockType;
  readonly showing: Model;
  readonly model: Model;
  readonly input: unknown;
}

const shown = { context: everywhere, readonly: true } as const;
const texts = () => z.array(z.string());
const anyText = () => z.string().nullable();
const anyTexts = () => texts().nullable();
const map = () => z.record(z.string(), z.unknown());
const API_VERSION = 3;

/** Fields for scripts and styles, of which blocks have none. */
const brought = ['editor_script', 'script', 'view_script', 'editor_style', 'style', 'view_style'];
const modules = 'view_script_module_ids';
const handles: readonly Field<BlockTypes>[] = [...brought.map((name) => `${name}_handles`), modules].map((name) => ({
  ...{ name, ...shown },
  description: 'Empty: blocks bring no scripts and styles with them.',
  schema: texts,
  json: () => '[]',
}));
const single: readonly Field<BlockTypes>[] = brought.slice(0, -1).map((name) => ({
  ...{ name, ...shown },
  description: 'Null: blocks bring no scripts and styles with them.',
  schema: anyText,
  json: () => 'null',
}));

const { bool, field, int, text } = fieldConstructors<BlockTypes>();

/** Every field of block types, in the order in which records have them. */
const fields: readonly Field<BlockTypes>[] = [
  field('attributes', everywhere, 'Block attributes.', {
    readonly: true,
    schema: () => map().nullable(),
    json: ({ attributes }) => asciiJson(attributes),
  }),
  bool('is_dynamic', everywhere, 'Is the block dynamically rendered.', {
    readonly: true,
    read: ({ markup }) => markup !== 'stored',
  }),
  int('api_version', everywhere, 'Version of block API.', { readonly: true, read: () => API_VERSION }),
  text('name', everywhere, 'Unique name identifying the block type.', { readonly: true }),
  text('title', everywhere, 'Title of block type.', { readonly: true }),
  field('icon', everywhere, 'Icon of block type.', { readonly: true, schema: anyText, json: () => 'null' }),
  text('description', everywhere, 'Description of block type.', { readonly: true }),
  field('category', everywhere, 'Block category.', {
    readonly: true,
    schema: anyText,
    json: ({ category }) => asciiJson(category),
  }),
  field('keywords', everywhere, 'Block keywords.', {
    readonly: true,
    schema: texts,
    json: ({ keywords }) => asciiJson(keywords),
  }),
  field('parent', everywhere, 'Parent blocks.', {
    readonly: true,
    schema: anyTexts,
    json: ({ parent }) => asciiJson(parent),
  }),
  field('ancestor', everywhere, 'Ancestor blocks.', {
    readonly: true,
    schema: anyTexts,
    json: ({ ancestor }) => asciiJson(ancestor),
  }),
  field('allowed_blocks', everywhere, 'Allowed child block types.', {
    readonly: true,
    schema: anyTexts,
    json: ({ allowed }) => asciiJson(allowed),
  }),
  field('provides_context', everywhere, 'Context provided by blocks of this type.', {
    readonly: true,
    schema: () => z.record(z.string(), z.string()),
    json: ({ provides }) => asciiJson(provides),
  }),
  field('uses_context', everywhere, 'Context values inherited by blocks of this type.', {
    readonly: true,
    schema: texts,
    json: ({ uses }) => asciiJson(uses),
  }),
  field('selectors', everywhere, 'Custom CSS selectors.', { readonly: true, schema: map, json: () => '{}' }),
  field('supports', everywhere, 'Block supports.', {
    readonly: true,
    schema: map,
    json: ({ supports }) => asciiJson(supports),
  }),
  field('styles', everywhere, 'Block style variations.', {
    readonly: true,
    schema: () => z.array(map()),
    json: ({ styles }) => asciiJson(styles.map(styleOf)),
  }),
  field('textdomain', everywhere, 'Public text domain.', { readonly: true, schema: anyText, json: () => 'null' }),
  field('example', everywhere, 'Block example.', {
    readonly: true,
    schema: () => map().nullable(),
    json: () => 'null',
  }),
  ...handles,
  field('variations', everywhere, 'Block variations.', {
    readonly: true,
    schema: () => z.array(map()),
    json: () => '[]',
  }),
  field(
    'block_hooks',
    everywhere,
    'This block is automatically inserted near any occurrence of the block types used as keys.',
    { readonly: true, schema: () => z.record(z.string(), z.string()), json: () => '{}' },
  ),
  ...single,
  { name: '_links', context: everywhere, json: linksJson },
];

export const blockTypeFields = defineFields<BlockTypes>(fields)(null);

export const blockTypeSchema = (): unknown => recordSchema('block-type', blockTypeFields.properties());

function styleOf(name: string, place: number) {
  const label = name.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());
  return { name, label, ...(place === 0 ? { isDefault: true } : {}) };
}

function linksJson({ name, markup }: BlockType, model: Model): JsonText {
  const { rest, prefix, curies } = linkParts(model.site());
  const [namespace = ''] = name.split('/');
  const links = [
    `"collection":[{"href":"${rest}/block-types"}]`,
    `"self":[{"href":"${rest}/block-types/${name}"}]`,
    `"up":[{"href":"${rest}/block-types/${namespace}"}]`,
    ...(markup !== 'stored'
      ? [`"${prefix}:render-block":[{"href":"${rest}/block-renderer/${name}?context=edit"}]`, curies]
      : []),
  ];
  return `{${links.join()}}`;
}
