/** What the pages read. In a project of your own, import from `palimpsest/client`. */
import { CmsError, createClient } from '../../../packages/client/src/index.ts';
import { learn, store } from './addresses.ts';
import type { Block, Entry, Frame, Media, MenuItem, Resolved } from './types.ts';

const cms = createClient(`${store}/cms-json`, { retries: 0 });
/** The token goes from the browser to the store, and is kept nowhere. */
const reader = (preview: string | null) => (preview === null ? cms : cms.preview(preview));
/** Path and query of an address of the interface, for the client. An earlier state has the addresses of then. */
function within(href: string): string {
  const [home = '', path = ''] = href.split('/cms-json');
  learn(home);
  return path;
}

const location = `/cms/v2/menu-locations/${encodeURIComponent(process.env['MENU'] ?? 'header')}?_fields=menu`;
const items = '/cms/v2/menu-items?_fields=id,parent,url,title,menus';
const pages = '/cms/v2/pages?parent=0&orderby=menu_order&order=asc&_fields=id,link,title';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** What is around every page, and what is at `path`: in one batch, so both of one state of the site. Null: nothing. */
export async function pageAt(path: string, preview: string | null): Promise<[Frame, Resolved | null]> {
  const query = { path, _embed: 'item', _fields: 'type,url,page,redirect,_links,_embedded' };
  const resolve = `/cms/v2/resolve?${new URLSearchParams(query)}`;
  const requests = [location, items, pages, resolve].map((one) => ({ method: 'GET', path: one }));
  const [site, batch, previewed] = await Promise.all([
    cms.get('/', { query: { _fields: 'name,description,home,url' } }),
    cms.post('/batch/v1', { body: { reads: true, requests } }),
    // A batch shows no previews.
    preview === null ? null : found(reader(preview).get(resolve)),
  ]);
  const { home, url, ...about } = site.data as Frame & { home: string; url: string };
  for (const one of [home, url]) learn(one);
  const { responses } = batch.data as { responses: Answer[] };
  const [menu, inMenus, topLevel, there] = responses.map(({ status, body }) => (status === 200 ? body : null));
  const all = (inMenus ?? []) as (MenuItem & { menus: number })[];
  const chosen = all.filter(({ menus }) => menus === (menu as { menu: number } | null)?.menu);
  const instead = ((topLevel ?? []) as Entry[]).map((one) => ({ ...one, parent: 0, url: one.link }));
  const frame = { ...about, menu: chosen.length > 0 ? chosen : instead };
  return [frame, (preview === null ? there : previewed?.data) as Resolved | null];
}

/** A post, page or file, with what the pictures in it need. Null: it is not there, or the preview has ended. */
export async function entryAt(href: string, preview: string | null): Promise<[Entry, Map<unknown, Media>] | null> {
  const fields =
    'id,type,title,link,date,blocks,content.protected,content.styles,description.rendered,_links,_embedded';
  const query = { _fields: fields, _embed: 'author,cms:term,cms:featuredmedia' };
  const answer = await found(reader(preview).get(within(href), { query }));
  if (answer === null) return null;
  const entry = answer.data as Entry;
  const include = imagesIn(entry.blocks ?? []);
  const asked = { include, per_page: 100, _fields: 'id,source_url,alt_text,media_details' };
  const media = include.length === 0 ? [] : ((await cms.get('/cms/v2/media', { query: asked })).data as Media[]);
  return [entry, new Map(media.map((one) => [one.id, one]))];
}

/** A page of a list, and how many pages it has. Null: it has not so many. */
export async function listAt(href: string, preview: string | null): Promise<[Entry[], number] | null> {
  const query = { _fields: 'id,title,link,date,excerpt.rendered,_links,_embedded', _embed: 'cms:featuredmedia' };
  const answer = await found(reader(preview).get(within(href), { query }));
  return answer && [answer.data as Entry[], Number(answer.headers.get('X-CMS-TotalPages'))];
}

function imagesIn(blocks: readonly Block[]): unknown[] {
  const ids = blocks.flatMap(({ name, attributes }) => (name === 'core/image' ? [attributes['id']] : []));
  return [...new Set(ids)].filter((id) => Number.isInteger(id)).slice(0, 100);
}

/** Null where the store refuses; that it does not answer is a fault. */
async function found<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error: unknown) => {
    if (error instanceof CmsError && error.status >= 400 && error.status < 500 && error.status !== 429) return null;
    throw error;
  });
}
