import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { allTermKinds, type TermKind } from '#domain/term/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Arg, Args, Call, Route } from '../../engine/types.ts';
import { pastOfCollection } from '../entries/permissions.ts';
import { resourceRoutes } from '../records/resource.ts';
import {
  contextArg,
  excludeArg,
  includeArg,
  inSecondPass,
  itemIdArg,
  offsetArg,
  orderArg,
  pagingArgs,
} from '../records/usual-args.ts';
import { termFieldsOf, termSchema } from './fields.ts';
import {
  findTerm,
  mayCreateTerm,
  mayDeleteTerm,
  mayListTerms,
  mayShowTerm,
  mayUpdateTerm,
  pastOfTerm,
} from './permissions.ts';
import { listTerms, showTerm } from './reads.ts';
import { termCreation, termRemoval, termUpdate } from './writes.ts';

const idArg: Arg<Model> = itemIdArg('term');

const termItemArgs: Args<Model> = { id: idArg, context: contextArg };

const termDeleteArgs: Args<Model> = {
  id: idArg,
  force: {
    schema: z.boolean().default(false).describe('Required to be true, as terms do not support trashing.'),
    pass: 2,
  },
};

export function termRoutes(): readonly Route<Model, Session>[] {
  return allTermKinds.flatMap(routesOf);
}

const depends = () => ['terms', 'entries', 'site'];

function versionOf(kind: TermKind): (call: Call<Model>) => string | null {
  return (call) => {
    const row = findTerm(call, kind);
    return isRefusal(row) ? null : String(row.touched);
  };
}

function routesOf(kind: TermKind): readonly Route<Model, Session>[] {
  return resourceRoutes<Model, Session>({
    namespace: 'cms/v2',
    path: `/${kind.base}`,
    allowBatch: true,
    schema: () => termSchema(kind),
    version: versionOf(kind),
    list: {
      args: termCollectionArgs(kind),
      past: pastOfCollection,
      permission: mayListTerms(kind),
      query: listTerms(kind),
      depends,
    },
    create: {
      args: termCreateArgs(kind),
      permission: mayCreateTerm(kind),
      showsOwn: true,
      command: termCreation(kind),
    },
    show: {
      args: termItemArgs,
      past: pastOfTerm(kind),
      permission: mayShowTerm(kind),
      query: showTerm(kind),
      depends,
    },
    update: { args: termUpdateArgs(kind), permission: mayUpdateTerm(kind), showsOwn: true, command: termUpdate(kind) },
    remove: { args: termDeleteArgs, permission: mayDeleteTerm(kind), command: termRemoval(kind) },
  });
}

function termCreateArgs(kind: TermKind): Args<Model> {
  const args = termFieldsOf(kind).args();
  return { ...args, name: { ...args['name']!, required: true } };
}

function termUpdateArgs(kind: TermKind): Args<Model> {
  return { id: idArg, ...termFieldsOf(kind).args() };
}

function termCollectionArgs({ hierarchical }: TermKind): Args<Model> {
  return {
    ...pagingArgs,
    exclude: excludeArg,
    include: includeArg,
    ...(hierarchical ? {} : { offset: offsetArg }),
    order: orderArg('asc'),
    orderby: inSecondPass(z.enum(orders).default('name').describe('Sort collection by term attribute.')),
    hide_empty: inSecondPass(z.boolean().default(false).describe('Whether to hide terms not assigned to any posts.')),
    ...(hierarchical
      ? { parent: inSecondPass(z.int().describe('Limit result set to terms assigned to a specific parent.')) }
      : {}),
    post: inSecondPass(
      z.int().meta({ default: null, description: 'Limit result set to terms assigned to a specific post.' }),
    ),
    slug: inSecondPass(z.array(z.string()).describe('Limit result set to terms with one or more specific slugs.')),
  };
}

const orders = ['id', 'include', 'name', 'slug', 'include_slugs', 'term_group', 'description', 'count'] as const;
