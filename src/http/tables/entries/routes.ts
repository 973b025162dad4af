import type { Session } from '#commands/session.ts';
import type { EntryKind } from '#domain/entry/kinds.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import { resourceRoutes } from '../../engine/resource.ts';
import type { Call, Route } from '../../engine/types.ts';
import { bodyArgs, collectionArgs, deleteArgs, idArg, itemArgs } from './args.ts';
import { prepareTexts } from './body.ts';
import { findEntry } from './find.ts';
import { mayCreate, mayDelete, mayList, mayShow, mayUpdate, pastOfCollection, pastOfEntry } from './permissions.ts';
import { listEntries, readyEntry, showEntry } from './queries.ts';
import { entrySchema } from './schema.ts';
import { create, remove, update } from './writes.ts';

export function entryRoutes(kind: EntryKind): readonly Route<Model, Session>[] {
  return resourceRoutes<Model, Session>({
    namespace: 'cms/v2',
    path: `/${kind.base}`,
    allowBatch: true,
    schema: (model) => entrySchema(kind, model),
    version: versionOf(kind),
    list: {
      args: collectionArgs(kind),
      past: pastOfCollection,
      permission: mayList(kind),
      query: listEntries(kind),
      depends: listDependencies(kind),
    },
    create: { args: bodyArgs(kind), permission: mayCreate(kind), prepare: prepareTexts, command: create(kind) },
    show: {
      args: itemArgs,
      past: pastOfEntry(kind),
      permission: mayShow(kind),
      query: showEntry(kind),
      depends: dependencies,
      ready: readyEntry(kind),
    },
    update: {
      args: { id: idArg, ...bodyArgs(kind) },
      permission: mayUpdate(kind),
      prepare: prepareTexts,
      command: update(kind),
    },
    remove: { args: deleteArgs, permission: mayDelete(kind), command: remove(kind) },
  });
}

function versionOf(kind: EntryKind): (call: Call<Model>) => string | null {
  return (call) => {
    const row = findEntry(call, kind);
    return isRefusal(row) ? null : String(row.version);
  };
}

// A page can be below a media item.
function listDependencies(kind: EntryKind): (call: Call<Model>) => readonly string[] {
  const shared = ['entries', 'terms', 'site'];
  return ({ params }) => (kind.hierarchical || params['context'] === 'edit' ? [...shared, 'media'] : shared);
}

// The slug suggested to an editor depends on all others, and the address of a page on its ancestors.
function dependencies({ params, model }: Call<Model>): readonly string[] {
  const shared = ['terms', 'site'];
  if (params['context'] === 'edit') return ['entries', 'media', ...shared];
  const id = Number(params['id']);
  return [...model.lineage(id).map((each) => `entry:${each}`), `entry:${id}`, ...shared];
}
