import { z } from 'zod';
import type { Model } from '#projections/reading/model.ts';
import { linkParts } from '#site/addresses/interface.ts';
import type { BlockType } from '#text/block-types/block-type.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { defineFields, type Field, recordSchema } from '../../engine/field.ts';
import { everywhere } from '../../engine/property.ts';

interface BlockTypes {
  readonly kind: null;
  readonly row: BlockType;
  readonly showing: Model;
  readonly model: Model;
  readonly input: unknown;
}

const shown = { context: everywhere, readonly: true } as const;
const text = () => z.string();
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

/** Every field of block types, in the order in which records have them. */
const fields: readonly Field<BlockTypes>[] = [
  {
    ...{ name: 'attributes', ...shown },
    description: 'Block attributes.',
    schema: () => map().nullable(),
    json: ({ attributes }) => asciiJson(attributes),
  },
  {
    ...{ name: 'is_dynamic', ...shown },
    description: 'Is the block dynamically rendered.',
    schema: () => z.boolean(),
    json: ({ isDynamic }) => String(isDynamic),
  },
  {
    ...{ name: 'api_version', ...shown },
    description: 'Version of block API.',
    schema: () => z.int(),
    json: () => String(API_VERSION),
  },
  {
    ...{ name: 'name', ...shown },
    description: 'Unique name identifying the block type.',
    schema: text,
    json: ({ name }) => asciiJson(name),
  },
  {
    ...{ name: 'title', ...shown },
    description: 'Title of block type.',
    schema: text,
    json: ({ title }) => asciiJson(title),
  },
  {
    ...{ name: 'icon', ...shown },
    description: 'Icon of block type.',
    schema: anyText,
    json: () => 'null',
  },
  {
    ...{ name: 'description', ...shown },
    description: 'Description of block type.',
    schema: text,
    json: ({ description }) => asciiJson(description),
  },
  {
    ...{ name: 'category', ...shown },
    description: 'Block category.',
    schema: anyText,
    json: ({ category }) => asciiJson(category),
  },
  {
    ...{ name: 'keywords', ...shown },
    description: 'Block keywords.',
    schema: texts,
    json: ({ keywords }) => asciiJson(keywords),
  },
  {
    ...{ name: 'parent', ...shown },
    description: 'Parent blocks.',
    schema: anyTexts,
    json: ({ parent }) => asciiJson(parent),
  },
  {
    ...{ name: 'ancestor', ...shown },
    description: 'Ancestor blocks.',
    schema: anyTexts,
    json: ({ ancestor }) => asciiJson(ancestor),
  },
  {
    ...{ name: 'allowed_blocks', ...shown },
    description: 'Allowed child block types.',
    schema: anyTexts,
    json: ({ allowed }) => asciiJson(allowed),
  },
  {
    ...{ name: 'provides_context', ...shown },
    description: 'Context provided by blocks of this type.',
    schema: () => z.record(z.string(), z.string()),
    json: ({ provides }) => asciiJson(provides),
  },
  {
    ...{ name: 'uses_context', ...shown },
    description: 'Context values inherited by blocks of this type.',
    schema: texts,
    json: ({ uses }) => asciiJson(uses),
  },
  {
    ...{ name: 'selectors', ...shown },
    description: 'Custom CSS selectors.',
    schema: map,
    json: () => '{}',
  },
  {
    ...{ name: 'supports', ...shown },
    description: 'Block supports.',
    schema: map,
    json: ({ supports }) => asciiJson(supports),
  },
  {
    ...{ name: 'styles', ...shown },
    description: 'Block style variations.',
    schema: () => z.array(map()),
    json: ({ styles }) => asciiJson(styles.map(styleOf)),
  },
  {
    ...{ name: 'textdomain', ...shown },
    description: 'Public text domain.',
    schema: anyText,
    json: () => 'null',
  },
  {
    ...{ name: 'example', ...shown },
    description: 'Block example.',
    schema: () => map().nullable(),
    json: () => 'null',
  },
  ...handles,
  {
    ...{ name: 'variations', ...shown },
    description: 'Block variations.',
    schema: () => z.array(map()),
    json: () => '[]',
  },
  {
    ...{ name: 'block_hooks', ...shown },
    description: 'This block is automatically inserted near any occurrence of the block types used as keys.',
    schema: () => z.record(z.string(), z.string()),
    json: () => '{}',
  },
  ...single,
  { name: '_links', context: everywhere, json: linksJson },
];

export const blockTypeFields = defineFields<BlockTypes>(fields)(null);

export const blockTypeSchema = (): unknown => recordSchema('block-type', blockTypeFields.properties());

function styleOf(name: string, place: number) {
  const label = name.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());
  return { name, label, ...(place === 0 ? { isDefault: true } : {}) };
}

function linksJson({ name, isDynamic }: BlockType, model: Model): JsonText {
  const { rest, prefix, curies } = linkParts(model.site());
  const [namespace = ''] = name.split('/');
  const links = [
    `"collection":[{"href":"${rest}/block-types"}]`,
    `"self":[{"href":"${rest}/block-types/${name}"}]`,
    `"up":[{"href":"${rest}/block-types/${namespace}"}]`,
    ...(isDynamic ? [`"${prefix}:render-block":[{"href":"${rest}/block-renderer/${name}?context=edit"}]`, curies] : []),
  ];
  return `{${links.join()}}`;
}
