import type { Session } from '#commands/session.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { Uploads } from '#media/uploads.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Call, Route } from '../../engine/types.ts';
import { entryDeleteArgs, idArg } from '../entries/args.ts';
import { resourceRoutes } from '../records/resource.ts';
import { mediaBodyArgs, mediaCollectionArgs, mediaItemArgs, uploadArgs } from './args.ts';
import { prepareMedia } from './body.ts';
import { mediaEditingRoutes } from './editing.ts';
import { mediaSchema } from './fields.ts';
import {
  findMedia,
  mayDeleteMedia,
  mayListMedia,
  mayShowMedia,
  mayUpdateMedia,
  mayUpload,
  mayUploadFiles,
  pastOfMedia,
} from './permissions.ts';
import { listMedia, showMedia } from './reads.ts';
import { beginUpload, removeMedia, updateMedia } from './writes.ts';

export function mediaRoutes(uploads: Uploads): readonly Route<Model, Session>[] {
  const resource = resourceRoutes<Model, Session>({
    namespace: 'cms/v2',
    path: '/media',
    mayWait: true,
    schema: mediaSchema,
    version,
    list: {
      args: mediaCollectionArgs(),
      permission: mayListMedia,
      query: listMedia,
      depends: () => ['media', 'entries', 'site'],
    },
    create: {
      args: uploadArgs(),
      permission: mayUpload,
      takesFrom: mayUploadFiles,
      prepare: prepareMedia,
      upload: (sent) => beginUpload(uploads, sent),
    },
    show: {
      args: mediaItemArgs,
      past: pastOfMedia,
      permission: mayShowMedia,
      query: showMedia,
      depends: dependencies,
    },
    update: {
      args: { id: idArg, ...mediaBodyArgs() },
      permission: mayUpdateMedia,
      prepare: prepareMedia,
      command: updateMedia,
    },
    remove: { args: entryDeleteArgs, permission: mayDeleteMedia, command: removeMedia },
  });
  return [...resource, ...mediaEditingRoutes(uploads)];
}

function version(call: Call<Model>): string | null {
  const row = findMedia(call);
  return isRefusal(row) ? null : String(row.touched);
}

// The slug suggested to an editor depends on everything, the address on the item's host.
function dependencies({ params, model }: Call<Model>): readonly string[] {
  if (params['context'] === 'edit') return ['media', 'entries', 'site'];
  const id = Number(params['id']);
  const above = model.lineage(model.media(id)?.parent ?? 0);
  return [`entry:${id}`, ...above.map((each) => `entry:${each}`), 'site'];
}
