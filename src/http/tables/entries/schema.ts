import type { EntryKind } from '#domain/entry/kinds.ts';
import { relationAddress } from '#domain/site/interface-names.ts';
import { termKinds } from '#domain/term/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import { collectionUrl } from '#site/addresses/entries.ts';
import { recordSchema } from '../../engine/field.ts';
import { entryFieldsOf } from './fields.ts';

const integer = { type: 'integer' };

export function entrySchema(kind: EntryKind, model: Model): unknown {
  const { names } = model.site();
  const href = `${collectionUrl(kind, model)}/{id}`;
  const link = (action: string, title: string, targets: Record<string, unknown>) => ({
    rel: relationAddress(names, `action-${action}`),
    title,
    href,
    targetSchema: { type: 'object', properties: targets },
  });
  const ids = { type: 'array', items: integer };
  return recordSchema(kind.name, entryFieldsOf(kind).properties(), {
    links: [
      link('publish', 'The current user can publish this post.', {
        status: { type: 'string', enum: ['publish', 'future'] },
      }),
      link('unfiltered-html', 'The current user can post unfiltered HTML markup and JavaScript.', {
        content: { raw: { type: 'string' } },
      }),
      ...(kind.features.has('sticky')
        ? [link('sticky', 'The current user can sticky this post.', { sticky: { type: 'boolean' } })]
        : []),
      ...(kind.features.has('author')
        ? [link('assign-author', 'The current user can change the author on this post.', { author: integer })]
        : []),
      ...kind.taxonomies.flatMap((taxonomy) => {
        const { base } = termKinds[taxonomy];
        return ['assign', 'create'].map((act) =>
          link(`${act}-${base}`, `The current user can ${act} terms in the ${taxonomy} taxonomy.`, { [base]: ids }),
        );
      }),
    ],
  });
}
