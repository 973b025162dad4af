import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { allTermKinds as all, type TermKind } from '#domain/term/kinds.ts';
import { may, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { keyedBy } from '../../engine/keyed.ts';
import type { Answer, Args, Call, Context, Route } from '../../engine/types.ts';
import { contextArg } from '../../engine/usual-args.ts';
import { taxonomyFields, taxonomySchema, typesWith } from './fields.ts';

const namespace = CONTENT;
const collection = `/${namespace}/taxonomies`;
const depends = () => ['site', 'plugins'];

const listArgs: Args<Model> = {
  context: contextArg,
  type: { schema: z.string().describe('Limit results to taxonomies associated with a specific post type.') },
};
const itemArgs: Args<Model> = {
  taxonomy: { schema: z.string().describe('An alphanumeric identifier for the taxonomy.') },
  context: contextArg,
};

/** Exist but are never shown: post formats, which are terms in the reference system. */
const hidden: ReadonlySet<string> = new Set(['post_format']);

/** Taxonomies (interface behaviour, section 31). */
export function taxonomyRoutes(): readonly Route<Model, Session>[] {
  const schema = taxonomySchema;
  return [
    {
      ...{ namespace, pattern: collection, schema },
      endpoints: [
        { ...{ methods: ['GET'], args: listArgs, permission: mayList, query: listTaxonomies, depends }, keyed: true },
      ],
    },
    {
      ...{ namespace, pattern: `${collection}/(?P<taxonomy>[\\w-]+)`, schema },
      endpoints: [{ methods: ['GET'], args: itemArgs, permission: mayShow, query: showTaxonomy, depends }],
    },
  ];
}

function mayList({ params, viewer }: Call<Model>): Refusal | null {
  return params['context'] !== 'edit' || all.some((kind) => mayAssign(viewer, kind))
    ? null
    : refuse('rest_cannot_view', 'Sorry, you are not allowed to manage terms in this taxonomy.');
}

function mayShow({ params, viewer }: Call<Model>): Refusal | null {
  const taxonomy = String(params['taxonomy']);
  if (hidden.has(taxonomy)) return refuse('rest_forbidden', 'Sorry, you are not allowed to do that.');
  const kind = find(taxonomy);
  return kind === undefined || params['context'] !== 'edit' || mayAssign(viewer, kind)
    ? null
    : refuse('rest_forbidden_context', 'Sorry, you are not allowed to manage terms in this taxonomy.');
}

function listTaxonomies({ params, viewer, model }: Call<Model>): Answer {
  const context = params['context'] as Context;
  const type = String(params['type'] ?? '');
  const kinds = all.filter(
    (kind) =>
      (type === '' || typesWith(kind.name, model).includes(type)) && (context !== 'edit' || mayAssign(viewer, kind)),
  );
  return keyedBy(kinds.map((kind) => [kind.name, taxonomyFields.record(context, kind, model)]));
}

function showTaxonomy({ params, model }: Call<Model>): Answer | Refusal {
  const kind = find(String(params['taxonomy']));
  if (kind === undefined) return refuse('rest_taxonomy_invalid', 'Invalid taxonomy.');
  return { body: { kind: 'record', record: taxonomyFields.record(params['context'] as Context, kind, model) } };
}

function find(slug: string): TermKind | undefined {
  return all.find(({ name }) => name === slug);
}

function mayAssign(viewer: Viewer, { rights }: TermKind): boolean {
  return may(viewer, rights.assign);
}
