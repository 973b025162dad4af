import { blockTypes } from '#blocks/block-types/all.ts';
import type { BlockAttribute } from '#blocks/block-types/block-type.ts';
import type { Schema } from './types.ts';

const block: Schema = {
  type: 'object',
  description: 'A block of a content.',
  properties: {
    name: { type: ['string', 'null'], description: 'Its name with namespace; null for text between blocks.' },
    attributes: {
      type: 'object',
      description: 'Its attributes, with those in its markup and the defaults: see block-attributes.',
      additionalProperties: true,
    },
    innerBlocks: {
      type: 'array',
      description: 'The blocks in it.',
      items: { $ref: '#/components/schemas/block' },
    },
    rendered: { type: 'string', description: 'The part of the rendered content that it makes.' },
  },
  required: ['name', 'attributes', 'innerBlocks', 'rendered'],
};

/** The schemas of contents as data: any block, and the attributes of each type of block, by its name. */
export const blockSchemas: Readonly<Record<string, Schema>> = {
  block,
  'block-attributes': {
    type: 'object',
    description: 'The attributes of the types of blocks, by their names. Others are possible.',
    properties: Object.fromEntries(
      [...blockTypes].map(([name, { attributes }]) => [name, attributesSchema(attributes)]),
    ),
  },
};

function attributesSchema(attributes: Readonly<Record<string, BlockAttribute>>): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(attributes).map(([name, type]) => [name, attributeSchema(type)])),
  };
}

function attributeSchema({ type, enum: values, query, items, default: initial }: BlockAttribute): Schema {
  const said = initial === undefined ? {} : { default: initial };
  if (query !== undefined) return { ...said, type: 'array', items: attributesSchema(query) };
  if (type === 'rich-text') return { ...said, type: 'string', description: 'HTML' };
  if (type === 'array') return { ...said, type, items: items ?? {} };
  if (type === 'object') return { ...said, type, additionalProperties: true };
  return { ...said, type, ...(values === undefined ? {} : { enum: values }) };
}
