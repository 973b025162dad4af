import { relationAddress } from '#domain/site/interface-names.ts';
import type { Model } from '#projections/reading/model.ts';
import { mediaUrl } from '#site/addresses/media.ts';
import { recordSchema } from '../../engine/field.ts';
import { mediaFields } from './fields.ts';

export function mediaSchema(model: Model): unknown {
  const { names } = model.site();
  const href = `${mediaUrl(model)}/{id}`;
  const link = (action: string, title: string, properties: Record<string, unknown>) => ({
    rel: relationAddress(names, `action-${action}`),
    title,
    href,
    targetSchema: { type: 'object', properties },
  });
  return recordSchema('attachment', mediaFields.properties(), {
    links: [
      link('unfiltered-html', 'The current user can post unfiltered HTML markup and JavaScript.', {
        content: { raw: { type: 'string' } },
      }),
      link('assign-author', 'The current user can change the author on this post.', { author: { type: 'integer' } }),
    ],
  });
}
