import { z } from 'zod';
import { blockTypes } from '#blocks/block-types/all.ts';
import type { BlockType } from '#blocks/block-types/block-type.ts';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT, linkParts } from '#site/addresses/interface.ts';
import { maySeeEditors } from '#site/rights.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import type { Answer, Args, Call, Context, Route } from '../../engine/types.ts';
import { defineFields, type Field, fieldConstructors, type ReadFieldTypes, recordSchema } from '../records/field.ts';
import { everywhere } from '../records/property.ts';
import { contextArg } from '../records/usual-args.ts';

type BlockTypes = ReadFieldTypes<BlockType, Model>;

const blockTypeSchema = (): unknown => recordSchema('block-type', blockTypeFields.properties());

const route = { namespace: CONTENT, schema: blockTypeSchema } as const;
const collection = `/${CONTENT}/block-types`;

const depends = () => ['site'];
const namespace = { schema: z.string().describe('Block namespace.') };
const listArgs: Args<Model> = { context: contextArg, namespace };
const itemArgs: Args<Model> = { name: { schema: z.string().describe('Block name.') }, namespace, context: contextArg };

/** The block types that texts can contain (interface behaviour, section 38). */
export function blockTypeRoutes(): readonly Route<Model, Session>[] {
  const list = {
    methods: ['GET'],
    args: listArgs,
    permission: mayList,
    query: listTypes,
    depends,
    listed: true,
  } as const;
  return [
    { ...route, pattern: collection, endpoints: [list] },
    { ...route, pattern: `${collection}/(?P<namespace>[a-zA-Z0-9_-]+)`, endpoints: [list] },
    {
      ...route,
      pattern: `${collection}/(?P<namespace>[a-zA-Z0-9_-]+)/(?P<name>[a-zA-Z0-9_-]+)`,
      endpoints: [{ methods: ['GET'], args: itemArgs, permission: mayShow, query: showType, depends }],
    },
  ];
}

const unknown = refuse('rest_block_type_invalid', 'Invalid block type.');

function mayList({ viewer, model }: Call<Model>): Refusal | null {
  return maySeeEditors(viewer, model)
    ? null
    : refuse('rest_block_type_cannot_view', 'Sorry, you are not allowed to manage block types.');
}

function mayShow(call: Call<Model>): Refusal | null {
  return mayList(call) ?? (typeOf(call) === undefined ? unknown : null);
}

function typeOf({ params }: Call<Model>): BlockType | undefined {
  return blockTypes.get(`${params['namespace']}/${params['name']}`);
}

function listTypes({ params, model }: Call<Model>): Answer {
  const { namespace: wanted, context } = params;
  const types = [...blockTypes.values()].filter(({ name }) => wanted === undefined || name.startsWith(`${wanted}/`));
  const records = types.map((type) => blockTypeFields.record(context as Context, type, model));
  return { body: { kind: 'list', records } };
}

function showType(call: Call<Model>): Answer | Refusal {
  const type = typeOf(call);
  if (type === undefined) return unknown;
  return {
    body: { kind: 'record', record: blockTypeFields.record(call.params['context'] as Context, type, call.model) },
  };
}

const texts = () => z.array(z.string());
const anyText = () => z.string().nullable();
const anyTexts = () => texts().nullable();
const map = () => z.record(z.string(), z.unknown());
const API_VERSION = 3;

/** Fields for scripts and styles, of which blocks have none. */
const brought = ['editor_script', 'script', 'view_script', 'editor_style', 'style', 'view_style'];
const modules = 'view_script_module_ids';
const { bool, field, int, text } = fieldConstructors<BlockTypes>({ readonly: true });
const handles = [...brought.map((name) => `${name}_handles`), modules].map((name) =>
  field(name, everywhere, 'Empty: blocks bring no scripts and styles with them.', { schema: texts, json: () => '[]' }),
);
const single = brought.slice(0, -1).map((name) =>
  field(name, everywhere, 'Null: blocks bring no scripts and styles with them.', {
    schema: anyText,
    json: () => 'null',
  }),
);

/** Every field of block types, in the order in which records have them. */
const fields: readonly Field<BlockTypes>[] = [
  field('attributes', everywhere, 'Block attributes.', {
    schema: () => map().nullable(),
    json: ({ attributes }) => asciiJson(attributes),
  }),
  bool('is_dynamic', everywhere, 'Is the block dynamically rendered.', { read: ({ markup }) => markup !== 'stored' }),
  int('api_version', everywhere, 'Version of block API.', { read: () => API_VERSION }),
  text('name', everywhere, 'Unique name identifying the block type.'),
  text('title', everywhere, 'Title of block type.'),
  field('icon', everywhere, 'Icon of block type.', { schema: anyText, json: () => 'null' }),
  text('description', everywhere, 'Description of block type.'),
  field('category', everywhere, 'Block category.', { schema: anyText, json: ({ category }) => asciiJson(category) }),
  field('keywords', everywhere, 'Block keywords.', { schema: texts, json: ({ keywords }) => asciiJson(keywords) }),
  field('parent', everywhere, 'Parent blocks.', { schema: anyTexts, json: ({ parent }) => asciiJson(parent) }),
  field('ancestor', everywhere, 'Ancestor blocks.', { schema: anyTexts, json: ({ ancestor }) => asciiJson(ancestor) }),
  field('allowed_blocks', everywhere, 'Allowed child block types.', {
    schema: anyTexts,
    json: ({ allowed }) => asciiJson(allowed),
  }),
  field('provides_context', everywhere, 'Context provided by blocks of this type.', {
    schema: () => z.record(z.string(), z.string()),
    json: ({ provides }) => asciiJson(provides),
  }),
  field('uses_context', everywhere, 'Context values inherited by blocks of this type.', {
    schema: texts,
    json: ({ uses }) => asciiJson(uses),
  }),
  field('selectors', everywhere, 'Custom CSS selectors.', { schema: map, json: () => '{}' }),
  field('supports', everywhere, 'Block supports.', { schema: map, json: ({ supports }) => asciiJson(supports) }),
  field('styles', everywhere, 'Block style variations.', {
    schema: () => z.array(map()),
    json: ({ styles }) => asciiJson(styles.map(styleOf)),
  }),
  field('textdomain', everywhere, 'Public text domain.', { schema: anyText, json: () => 'null' }),
  field('example', everywhere, 'Block example.', { schema: () => map().nullable(), json: () => 'null' }),
  ...handles,
  field('variations', everywhere, 'Block variations.', { schema: () => z.array(map()), json: () => '[]' }),
  field(
    'block_hooks',
    everywhere,
    'This block is automatically inserted near any occurrence of the block types used as keys.',
    { schema: () => z.record(z.string(), z.string()), json: () => '{}' },
  ),
  ...single,
  { name: '_links', context: everywhere, json: linksJson },
];

const blockTypeFields = defineFields<BlockTypes>(fields)(null);

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
