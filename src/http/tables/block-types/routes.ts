import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { maySeeEditors } from '#site/rights.ts';
import { blockTypes } from '#text/block-types/all.ts';
import type { BlockType } from '#text/block-types/block-type.ts';
import type { Answer, Args, Call, Context, Route } from '../../engine/types.ts';
import { contextArg } from '../../engine/usual-args.ts';
import { blockTypeFields, blockTypeSchema } from './fields.ts';

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
      ...{ ...route, pattern: `${collection}/(?P<namespace>[a-zA-Z0-9_-]+)/(?P<name>[a-zA-Z0-9_-]+)` },
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
