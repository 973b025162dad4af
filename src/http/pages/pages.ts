import type { Model } from '#projections/model.ts';
import { permalink } from '../tables/entries/links.ts';
import { embedPage, missingEmbed } from './embed.ts';
import { entryPage } from './entry.ts';
import { type Html, html } from './html.ts';
import { pageDocument } from './layout.ts';
import { listPage, pageAddress } from './list.ts';
import { listingAt } from './listing.ts';
import { entryAt, entryByQuery, segmentsOf } from './locate.ts';
import { type PageReply, pageReply, redirectReply } from './reply.ts';

/** What a person asks for who follows a link. */
export interface PageRequest {
  /** As in the request line. */
  readonly url: string;
  /** The password that was sent; null when none was. */
  readonly password: string | null;
}

/**
 * The pages that the links of the interface lead to. Nobody is logged in here: they show what everybody may read,
 * and what is protected to who brings its password. Whatever else is asked for is simply not there.
 */
export function answerPage({ url, password }: PageRequest, model: Model): PageReply {
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const named = path === '/' ? entryByQuery(query, model) : null;
  if (named !== null) return named === undefined ? missingPage(model) : redirectReply(permalink(named, model));
  return list(path, model) ?? entry(path, password, model) ?? embedded(path, model) ?? missingPage(model);
}

/** A page that says that there is none. */
export function missingPage(model: Model): PageReply {
  const main = html`<h1>Not found</h1>
<p>There is nothing here, or it is not public. <a href="${model.site().url}/">To the latest posts</a></p>`;
  return plainPage('Not found', { main, status: 404, model });
}

/** A page that says that something failed on this side. */
export function faultPage(status: number, model: Model): PageReply {
  const main = html`<h1>This does not work at the moment</h1>
<p>Something went wrong on this side. Please try again later.</p>`;
  return plainPage('Fault', { main, status, model });
}

function list(path: string, model: Model): PageReply | null {
  const found = listingAt(path, model);
  if (found === null) return null;
  const { listing, page } = found;
  const reply = listPage(listing, page, model);
  return reply === null || path.endsWith('/') ? reply : redirectReply(pageAddress(listing, page));
}

function entry(path: string, password: string | null, model: Model): PageReply | null {
  const row = entryAt(path, model);
  if (row === undefined) return null;
  return path.endsWith('/') ? entryPage(row, model, password) : redirectReply(permalink(row, model));
}

function embedded(path: string, model: Model): PageReply | null {
  const segments = segmentsOf(path);
  if (segments.pop()?.toLowerCase() !== 'embed') return null;
  const row = entryAt(segments.join('/'), model);
  if (row === undefined) return missingEmbed(model);
  return path.endsWith('/') ? embedPage(row, model) : redirectReply(`${permalink(row, model)}embed/`);
}

function plainPage(title: string, { main, status, model }: { main: Html; status: number; model: Model }): PageReply {
  const site = model.site();
  return pageReply(pageDocument({ site, title, canonical: null, main }), { site: site.url, status });
}
