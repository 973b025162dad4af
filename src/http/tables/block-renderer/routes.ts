import { z } from 'zod';
import { blockTypes } from '#blocks/block-types/all.ts';
import type { BlockAttribute } from '#blocks/block-types/block-type.ts';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { mediaPost, noPost, postOf } from '#site/rendering/posts.ts';
import type { Post } from '#site/rendering/types.ts';
import { canEditEntry, canEditMedia } from '#site/rights.ts';
import { asciiJson } from '#text/json.ts';
import { membersOf, numberOf } from '#text/shapes.ts';
import type { Descriptor, TypeName } from '../../engine/descriptors.ts';
import { wrongType } from '../../engine/faults.ts';
import type { Answer, Args, Call, Fault, Route } from '../../engine/types.ts';
import { coerce, validate } from '../../engine/validate.ts';
import { recordSchema } from '../records/field.ts';
import { renderingOf } from '../rendering.ts';

const namespace = 'cms/v2';

/** Renders blocks for editors as readers would see them (interface behaviour, section 40). */
export function blockRendererRoutes(): readonly Route<Model, Session>[] {
  return [
    {
      namespace,
      pattern: `/${namespace}/block-renderer/(?P<name>[a-z0-9-]+/[a-z0-9-]+)`,
      schema: () =>
        recordSchema('rendered-block', {
          rendered: { description: 'The rendered block.', type: 'string', required: true, context: ['edit'] },
        }),
      endpoints: [
        {
          methods: ['GET', 'POST'],
          summary: 'Render a block that the server makes',
          args,
          permission: mayRender,
          query: showBlock,
        },
      ],
    },
  ];
}

const args: Args<Model> = {
  name: { schema: z.string().describe('Unique registered name for the block.') },
  context: {
    schema: z.enum(['edit']).meta({
      default: 'view',
      description: 'Scope under which the request is made; determines fields present in response.',
    }),
  },
  attributes: {
    schema: z.record(z.string(), z.unknown()).default({}).describe('Attributes for the block.'),
    check: checkAttributes,
  },
  post_id: { schema: z.int().describe('ID of the post context.') },
};

/** For users who may write posts; in the context of a post, for those who may edit it. */
function mayRender({ params, viewer, model }: Call<Model>): Refusal | null {
  const id = numberOf(params['post_id']) ?? 0;
  if (id <= 0)
    return may(viewer, 'edit_posts') ? null : refused('Sorry, you are not allowed to read blocks as this user.');
  const [row, media] = [model.entry(id), model.media(id)];
  const mayEdit = row !== undefined ? canEditEntry(viewer, row) : media !== undefined && canEditMedia(viewer, media);
  return mayEdit ? null : refused('Sorry, you are not allowed to read blocks of this post.');
}

function refused(message: string): Refusal {
  return refuse('block_cannot_read', message);
}

function checkAttributes(value: unknown, { params }: Call<Model>): Fault | null {
  const schema = schemaOf(params['name']);
  if (schema !== null) return validate(value, schema, 'attributes');
  return membersOf(value) === null ? wrongType('attributes', 'object') : null;
}

/** The schema of the attributes of a block that the server renders; null for any other. */
function schemaOf(name: unknown): Descriptor | null {
  const type = blockTypes.get(String(name));
  if (type === undefined || type.markup === 'stored') return null;
  const properties = Object.entries(type.attributes).map(([key, attribute]) => [key, descriptorOf(attribute)]);
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}

function descriptorOf({ type, enum: words, items, minimum, maximum }: BlockAttribute): Descriptor {
  return {
    type: typeOf(type),
    ...(words === undefined ? {} : { enum: words }),
    ...(items === undefined ? {} : { items: { type: typeOf(items.type) } }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  };
}

function typeOf(type: string): TypeName {
  return type === 'rich-text' ? 'string' : (type as TypeName);
}

function showBlock(call: Call<Model>): Answer | Refusal {
  const name = String(call.params['name']);
  const schema = schemaOf(name);
  if (schema === null) return refuse('block_invalid', 'Invalid block.');
  const rendering = renderingOf(call);
  const attributes = coerce(call.params['attributes'], schema);
  const html = rendering.block({ name, json: JSON.stringify(attributes), parts: [] }, postFor(call));
  return {
    body: { kind: 'record', record: { names: ['rendered'], json: () => asciiJson(html) } },
    dependsOnMore: () => rendering.dependsOn,
  };
}

function postFor({ params, model }: Call<Model>): Post {
  const id = numberOf(params['post_id']) ?? 0;
  const [row, media] = [model.entry(id), model.media(id)];
  if (row !== undefined) return postOf(row, model);
  return media === undefined ? noPost : mediaPost(media);
}
