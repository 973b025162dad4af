import type { Session } from '#commands/session.ts';
import type { EntryKind } from '#domain/entry/kinds.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import { idFrom } from '../../engine/call.ts';
import { resourceRoutes } from '../../engine/resource.ts';
import type { Call, Route } from '../../engine/types.ts';
import { isLongRow } from '../entries/reads.ts';
import {
  diffArgs,
  restoreArgs,
  revisionCollectionArgs,
  revisionDeleteArgs,
  revisionItemArgs,
  revisionSchema,
} from './fields.ts';
import { findParent, findRevision, mayDeleteRevision, mayReadRevision, mayRestore } from './permissions.ts';
import { diffRevisions, listRevisions, showRevision } from './reads.ts';
import { restore, revisionRemoval } from './writes.ts';

const namespace = 'cms/v2';

export function revisionRoutes(kind: EntryKind): readonly Route<Model, Session>[] {
  return resourceRoutes<Model, Session>({
    namespace,
    path: pathOf(kind),
    schema: revisionSchema(kind, { previewed: false }),
    version: versionOf(kind),
    list: {
      args: revisionCollectionArgs,
      permission: mayReadRevision(kind),
      query: listRevisions(kind),
      isLong,
      depends,
    },
    show: { args: revisionItemArgs, permission: mayReadRevision(kind), query: showRevision(kind), isLong, depends },
    remove: { args: revisionDeleteArgs, permission: mayDeleteRevision(kind), command: revisionRemoval(kind) },
  });
}

/** Additions to the reference system, which the index does not list: restoring a revision, and comparing two. */
export function historyRoutes(kind: EntryKind): readonly Route<Model, Session>[] {
  const item = `/${namespace}${pathOf(kind)}/(?P<id>[\\d]+)`;
  return [
    {
      namespace,
      pattern: `${item}/restore`,
      version: versionOfParent(kind),
      endpoints: [
        {
          methods: ['POST'],
          summary: 'Restore the texts of a revision, as a new revision',
          args: restoreArgs,
          permission: mayRestore(kind),
          command: restore(kind),
        },
      ],
    },
    {
      namespace,
      pattern: `${item}/diff`,
      endpoints: [
        {
          methods: ['GET'],
          summary: 'Show the changes in the texts between two revisions',
          args: diffArgs,
          permission: mayReadRevision(kind),
          query: diffRevisions(kind),
          isLong,
          depends,
        },
      ],
    },
  ];
}

function pathOf(kind: EntryKind): string {
  return `/${kind.base}/(?P<parent>[\\d]+)/revisions`;
}

function isLong({ model, params }: { readonly model: Model; readonly params: Call<Model>['params'] }): boolean {
  const row = model.entry(idFrom(params['parent']));
  return row !== undefined && isLongRow(row);
}

// Links contain only the entry, and permissions depend only on it.
function depends({ params }: Call<Model>): readonly string[] {
  return [`entry:${Number(params['parent'])}`, 'site'];
}

function versionOf(kind: EntryKind): (call: Call<Model>) => string | null {
  return (call) => {
    const parent = findParent(call, kind);
    const row = isRefusal(parent) ? parent : findRevision(call, parent);
    return isRefusal(row) ? null : String(row.position);
  };
}

function versionOfParent(kind: EntryKind): (call: Call<Model>) => string | null {
  return (call) => {
    const parent = findParent(call, kind);
    return isRefusal(parent) ? null : String(parent.version);
  };
}
