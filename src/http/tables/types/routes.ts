import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { typeOf, typesOf } from '#site/types.ts';
import type { Answer, Args, Call, Context, Route } from '../../engine/types.ts';
import { keyedBy } from '../records/answers.ts';
import { contextArg } from '../records/usual-args.ts';
import { typeFields, typeSchema } from './fields.ts';

const namespace = CONTENT;
const collection = `/${namespace}/types`;
const depends = () => ['site', 'plugins'];
const slug = { schema: z.string().describe('An alphanumeric identifier for the post type.') };
const itemArgs: Args<Model> = { type: slug, context: contextArg };

/** Types of content (interface behaviour, section 31). */
export function typeRoutes(): readonly Route<Model, Session>[] {
  const schema = typeSchema;
  return [
    {
      namespace,
      pattern: collection,
      schema,
      endpoints: [
        {
          methods: ['GET'],
          args: { context: contextArg },
          permission: mayList,
          query: listTypes,
          depends,
          keyed: true,
        },
      ],
    },
    {
      namespace,
      pattern: `${collection}/(?P<type>[\\w-]+)`,
      schema,
      endpoints: [{ methods: ['GET'], args: itemArgs, permission: () => null, query: showType, depends }],
    },
  ];
}

function mayList({ params, viewer, model }: Call<Model>): Refusal | null {
  return params['context'] !== 'edit' || typesOf(model).some(({ edit }) => may(viewer, edit))
    ? null
    : refuse('rest_cannot_view', 'Sorry, you are not allowed to edit posts in this post type.');
}

function listTypes({ params, viewer, model }: Call<Model>): Answer {
  const context = params['context'] as Context;
  const types = typesOf(model).filter(({ edit }) => context !== 'edit' || may(viewer, edit));
  return keyedBy(types.map((type) => [type.slug, typeFields.record(context, type, model)]));
}

function showType({ params, viewer, model }: Call<Model>): Answer | Refusal {
  const type = typeOf(String(params['type']), model);
  if (type === undefined) return refuse('rest_type_invalid', 'Invalid post type.');
  if (type === 'hidden') return refuse('rest_cannot_read_type', 'Cannot view post type.');
  const context = params['context'] as Context;
  if (context === 'edit' && !may(viewer, type.edit)) {
    return refuse('rest_forbidden_context', 'Sorry, you are not allowed to edit posts in this post type.');
  }
  return { body: { kind: 'record', record: typeFields.record(context, type, model) } };
}
