import { z } from 'zod';
import { post } from '#domain/entry/kinds.ts';
import type { Context } from '../../engine/types.ts';
import { described, properties, raw, rendered } from '../entries/properties.ts';

/** The fields of media items: those that they share with posts, and their own. */

const all: readonly Context[] = ['view', 'edit', 'embed'];
const full: readonly Context[] = ['view', 'edit'];
const edit: readonly Context[] = ['edit'];
const shared = [
  'date date_gmt guid id link modified modified_gmt slug status type permalink_template generated_slug class_list',
  'title author featured_media comment_status ping_status template',
]
  .join(' ')
  .split(' ');

const shown = <T extends z.ZodType>(schema: T, what: string, context: readonly Context[]): T =>
  described(schema, what, { context, readonly: true });

/** Every field, as the schema lists them. */
export function mediaProperties(): Record<string, z.ZodType> {
  const ofPosts = properties(post);
  const taken = shared.flatMap((name): [string, z.ZodType][] => {
    const schema = ofPosts[name];
    return schema === undefined ? [] : [[name, schema]];
  });
  return { ...Object.fromEntries(taken), ...own() };
}

function own(): Record<string, z.ZodType> {
  return {
    meta: described(z.object({}), 'Meta fields.', { context: full }),
    alt_text: described(z.string(), 'Alternative text to display when attachment is not displayed.', { context: all }),
    caption: described(
      z
        .object({ raw: raw('Caption for the attachment'), rendered: rendered('HTML caption for the attachment', all) })
        .partial(),
      'The attachment caption.',
      { context: all },
    ),
    description: described(
      z
        .object({
          raw: raw('Description for the attachment'),
          rendered: rendered('HTML description for the attachment', full),
        })
        .partial(),
      'The attachment description.',
      { context: full },
    ),
    media_type: shown(z.enum(['image', 'file']), 'Attachment type.', all),
    mime_type: shown(z.string(), 'The attachment MIME type.', all),
    media_details: shown(z.looseObject({}), 'Details about the media file, specific to its type.', all),
    post: described(z.int(), 'The ID for the associated post of the attachment.', { context: full }),
    source_url: shown(z.string().meta({ format: 'uri' }), 'URL to the original attachment file.', all),
    missing_image_sizes: shown(z.array(z.string()), 'List of the missing image sizes of the attachment.', edit),
    filename: shown(z.string(), 'Original attachment file name.', full),
    filesize: shown(z.int(), 'Attachment file size in bytes.', full),
    exif_orientation: shown(z.int(), 'How the image has to be turned to be upright; 1: not at all.', edit),
    image_output_format: shown(
      z.string().nullable(),
      'Type that the smaller sizes have; null: that of the image.',
      edit,
    ),
    image_save_progressive: shown(z.boolean(), 'Whether the smaller sizes are saved as progressive images.', edit),
    image_quality: shown(z.looseObject({}), 'Quality with which the smaller sizes are saved.', edit),
  };
}
