import { z } from 'zod';
import { page, post } from '#domain/entry/kinds.ts';
import { mediaTypes } from '#domain/media/types.ts';
import { mediaStatus } from '#projections/media/store.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Arg, Args } from '../../engine/types.ts';
import { entryCollectionArgs, idArg } from '../entries/args.ts';
import { checkCollectionStatus } from '../entries/checks.ts';
import { contextArg, inSecondPass } from '../records/usual-args.ts';
import { mediaFields } from './fields.ts';

const shared = [
  'context page per_page search after modified_after author author_exclude before modified_before exclude include',
  'search_semantics offset order orderby parent parent_exclude search_columns slug',
]
  .join(' ')
  .split(' ');
const statuses = ['inherit', 'private', 'trash'];

export const mediaItemArgs: Args<Model> = { id: idArg, context: contextArg };

export function mediaCollectionArgs(): Args<Model> {
  const ofEntries: Args<Model> = { ...entryCollectionArgs(page), ...entryCollectionArgs(post) };
  const taken = shared.flatMap((name): [string, Arg<Model>][] => {
    const arg = ofEntries[name];
    return arg === undefined ? [] : [[name, arg]];
  });
  return {
    ...Object.fromEntries(taken),
    status: {
      ...inSecondPass(
        z
          .array(z.enum(statuses))
          .meta({ default: mediaStatus, description: 'Limit result set to posts assigned one or more statuses.' }),
      ),
      check: checkCollectionStatus(post, statuses, mediaStatus),
    },
    media_type: inSecondPass(
      z
        .array(z.enum(mediaTypes))
        .meta({ default: null, description: 'Limit result set to attachments of a particular media type or types.' }),
    ),
    mime_type: inSecondPass(
      z
        .array(z.string())
        .meta({ default: null, description: 'Limit result set to attachments of a particular MIME type or types.' }),
    ),
  };
}

/** Arguments of an update: the writable fields. */
export const mediaBodyArgs = (): Args<Model> => mediaFields.args();

/** Arguments of an upload. `url`, an address to fetch the file from, is described but ignored for safety. */
export function uploadArgs(): Args<Model> {
  return {
    ...mediaBodyArgs(),
    generate_sub_sizes: { schema: z.boolean().default(true).describe('Whether to generate image sub sizes.') },
    convert_format: { schema: z.boolean().default(true).describe('Whether to convert image formats.') },
    url: { schema: z.string().meta({ format: 'uri', description: 'URL to fetch the file from; has no effect here.' }) },
  };
}
