import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { kindOf } from '#domain/entry/kinds.ts';
import { invalidParam, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { allTermKinds } from '#domain/term/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT, type LinkParts, linkParts } from '#site/addresses/interface.ts';
import { ownPath, placeInQuery } from '#site/addresses/place.ts';
import { type Resolved, resolvePath, resolveUrl } from '#site/addresses/resolve.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import type { Answer, Call, Context, Route } from '../../engine/types.ts';
import { chosenAt } from '../../pages/chosen.ts';
import { POSTS_PER_PAGE, pagesOfListing } from '../../pages/list.ts';
import { listingAt } from '../../pages/listing.ts';
import { pastOfItem } from '../entries/permissions.ts';
import { defineFields, type Field, fieldConstructors, recordSchema } from '../records/field.ts';

interface ResolvedTypes {
  readonly kind: 'address';
  readonly row: Resolved;
  readonly showing: Model;
  readonly model: Model;
  readonly input: unknown;
}

const NOTHING = refuse('rest_no_such_address', 'Nothing public is at that address.');

const context: readonly Context[] = ['view', 'embed'];
const { field, text } = fieldConstructors<ResolvedTypes>({ readonly: true });

const fields: readonly Field<ResolvedTypes>[] = [
  text('type', context, 'What is there: `item`, `term`, `author`, or `home` for the list of posts at the top.'),
  text('kind', context, 'Its post type, taxonomy, or `user`.'),
  field('id', context, 'Its id; null for the list at the top.', {
    schema: () => z.int().nullable(),
    json: ({ id }) => asciiJson(id),
  }),
  text('url', context, 'Where it is now.', { read: ({ address }) => address }),
  field('page', context, 'Page of the list.', { schema: () => z.int(), json: ({ page }) => asciiJson(page) }),
  field(
    'redirect',
    context,
    'Where visitors are sent, if the address is a former one or not the right one; null: it is.',
    {
      schema: () => z.string().nullable(),
      json: ({ isMoved, address }) => asciiJson(isMoved ? address : null),
    },
  ),
  { name: '_links', context, json: (row, model) => linksJson(row, linkParts(model.site())) },
];

const addressFields = defineFields<ResolvedTypes>(fields)('address');

/** What an address of the site shows: an addition to the reference system. */
export function resolveRoutes(): readonly Route<Model, Session>[] {
  return [
    {
      namespace: CONTENT,
      pattern: `/${CONTENT}/resolve`,
      schema: () => recordSchema('address', addressFields.properties()),
      endpoints: [
        {
          methods: ['GET'],
          summary: 'Find what an address of the site shows, also a former one; with _embed in one request',
          args: {
            url: { schema: z.string().describe('A whole address.') },
            path: {
              schema: z
                .string()
                .describe('Instead: what follows the address of the site, such as `/about/`. Default: its top.'),
            },
            context: {
              schema: z.enum(['view', 'embed']).default('view').describe('Scope under which the request is made.'),
            },
          },
          past: pastOfItem,
          permission: () => null,
          query: resolve,
        },
      ],
    },
  ];
}

function resolve({ params, model }: Call<Model>): Answer | Refusal {
  const { url, path = '/' } = params;
  if (url !== undefined && params['path'] !== undefined)
    return invalidParam('url', 'Name an address by url, or by path: one of them.');
  const asked = url === undefined ? `/${String(path).replace(/^\/+/, '')}` : (ownPath(String(url), model) ?? '');
  const found =
    chosenBy(asked, model) ?? (url === undefined ? resolvePath(asked, model) : resolveUrl(String(url), model));
  if (found === null || found === 'none' || !hasSuchPage(found, model)) return NOTHING;
  return { body: { kind: 'record', record: addressFields.record(params['context'] as Context, found, model) } };
}

/** What the query of an address chooses, which has an address of its own; `none`: it has not; null: the query chooses nothing. */
function chosenBy(asked: string, model: Model): Resolved | 'none' | null {
  const [path = '', query = ''] = asked.split('#', 1)[0]?.split(/\?(.*)/s) ?? [];
  const chosen = query === '' || placeInQuery(query, model) !== null ? null : chosenAt(path, query, model);
  if (chosen === null) return null;
  if (chosen === undefined || !('address' in chosen)) return 'none';
  const found = resolvePath(chosen.address.slice(model.site().url.length), model);
  return found === null ? 'none' : { ...found, page: chosen.page, isMoved: true };
}

/** Whether a list has the page that is asked for, as of now; items have no further pages. */
function hasSuchPage({ address, page }: Resolved, model: Model): boolean {
  if (page === 1) return true;
  const list = listingAt(address.slice(model.site().url.length), model);
  return list !== null && page <= pagesOfListing(list.listing, model);
}

function linksJson({ type, kind, id, page }: Resolved, { rest }: LinkParts): JsonText {
  const embeddable = (path: string) => [{ embeddable: true, href: `${rest}${path}` }];
  const paged = `per_page=${POSTS_PER_PAGE}${page === 1 ? '' : `&page=${page}`}`;
  if (type === 'home') return asciiJson({ list: embeddable(`/posts?${paged}`) });
  if (type === 'author') {
    return asciiJson({ item: embeddable(`/users/${id}`), list: embeddable(`/posts?author=${id}&${paged}`) });
  }
  if (type === 'item') {
    const base = kind === 'attachment' ? 'media' : kindOf(kind).base;
    return asciiJson({ item: embeddable(`/${base}/${id}`) });
  }
  const { base = '', entries = '' } = allTermKinds.find(({ name }) => name === kind) ?? {};
  return asciiJson({ item: embeddable(`/${base}/${id}`), list: embeddable(`/${entries}?${base}=${id}&${paged}`) });
}
