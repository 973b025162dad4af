import { previewerOf } from '#commands/previews.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { permalink } from '#site/addresses/entries.ts';
import { placeAt } from '#site/addresses/locate.ts';
import { placeType } from '#site/addresses/place.ts';
import { shownRevision } from '#site/entries/revisions.ts';
import { type Item, itemOf } from '#site/items/item.ts';
import { renderingWithLists } from '#site/post-lists/in-contents.ts';
import { postOf } from '#site/rendering/posts.ts';
import { revisionPost } from '#site/rendering/revision.ts';
import { textIn } from '#site/rendering/texts.ts';
import type { Post } from '#site/rendering/types.ts';
import { canEditEntry } from '#site/rights/entries.ts';
import { parseQuery } from '#text/query-string.ts';
import { resultOf } from '#text/suspended.ts';
import { type PageReply, unkept } from '../server/page-reply.ts';
import { itemPage } from './item-page.ts';

/** What a request for a preview names: `?p=12&preview=true`, or an address with `preview_id`. */
export interface PreviewRequest {
  readonly entry: number;
  /** '' for none. */
  readonly nonce: string;
}

/** Reads a request for a preview; null if it is none. */
export function previewIn(url: string, model: Model): PreviewRequest | null {
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  if (!query.includes('preview=true')) return null;
  const { preview, preview_id: id, preview_nonce: nonce, p, page_id: page } = parseQuery(query);
  if (preview !== 'true') return null;
  const named = [id, p, page].find((one) => typeof one === 'string' && /^\d{1,15}$/.test(one));
  const entry = named === undefined ? (placeAt(path, model)?.row.id ?? 0) : Number(named);
  return { entry, nonce: typeof nonce === 'string' ? nonce : '' };
}

/** Who sees a preview: the user to whom its link was given, else `viewer`; null if that user may not edit the entry. */
export function previewerFor(
  { entry, nonce }: PreviewRequest,
  viewer: Viewer,
  at: { readonly model: Model; readonly now: number },
): Viewer | null {
  const row = at.model.entry(entry);
  const given = nonce === '' ? null : previewerOf(nonce, entry, at);
  const who = given ?? viewer;
  return row !== undefined && canEditEntry(who, row) ? who : null;
}

/** The page of the entry with the autosave of a user, if there is one; without its password. It is shown to this request alone. */
export function previewPage(
  wanted: PreviewRequest,
  viewer: Viewer,
  { model, url }: { readonly model: Model; readonly url: string },
): PageReply {
  const talk = { isOpen: false, answers: 0, isHeld: false, page: null, refused: null };
  const attempt = () => ({ wait: 0, failed: () => undefined });
  const query = url.split(/\?(.*)/s)[1] ?? '';
  const reply = unkept(itemPage(previewItem(wanted, viewer, model), model, { password: null, attempt, query, talk }));
  return { ...reply, headers: { ...reply.headers, 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' } };
}

function previewItem({ entry }: PreviewRequest, viewer: Viewer, model: Model): Item {
  const row = model.entry(entry) as EntryRow;
  const autosave = model
    .revisions(entry)
    .autosaves()
    .find(({ author }) => author === viewer.id);
  const post = autosave === undefined ? postOf(row, model) : revisionPost(shownRevision(autosave, model), model);
  const place = { type: placeType(row.kind), row: { ...row, password: '' }, address: permalink(row, model) };
  return { ...itemOf(place, model), ...textsOf(post, viewer, model) };
}

function textsOf(post: Post, viewer: Viewer, model: Model): Pick<Item, 'title' | 'content' | 'excerpt'> {
  const rendering = (query = '') => renderingWithLists({ model, viewer, path: '', query: parseQuery(query) });
  return {
    title: textIn(post.row?.titleJson ?? resultOf('title', '')),
    content: (query) => rendering(query).content(post),
    excerpt: () => rendering().excerpt(post),
  };
}
