import { answerPage } from '#http/pages/pages.ts';
import type { ThemeFonts } from '#http/pages/themes/fonts.ts';
import type { Model } from '#projections/reading/model.ts';
import { addressesIn, withoutForms } from '#text/relink.ts';

export interface CollectedPage {
  readonly type: string;
  readonly body: string;
}

export interface Collected {
  readonly pages: ReadonlyMap<string, CollectedPage>;
  /** Redirects: path to target. */
  readonly moved: ReadonlyMap<string, string>;
  /** Paths of uploaded files that pages refer to. */
  readonly files: ReadonlySet<string>;
}

/** Start pages; everything else is reached by links. */
const beginnings = ['/', '/robots.txt', '/sitemap.xml', '/feed/', '/feed/atom/', '/llms.txt'];
/** The only queries that identify a separate page: those that page through a list. */
const TURN = /^[\w-]+-page=[1-9]\d{0,6}$/;
const UPLOADS = '/uploads/';
const ELSEWHERE = /^\/(?:cms-audit|authorize-application|avatars)(?:\/|$)/;

/** Renders every public page that is reachable by links. `onPage` is called after each. */
export async function collectPages(
  model: Model,
  { fonts, onPage }: { readonly fonts: ThemeFonts; readonly onPage: (done: number) => Promise<void> },
): Promise<Collected> {
  const { names } = model.site();
  const pages = new Map<string, CollectedPage>();
  const moved = new Map<string, string>();
  const files = new Set<string>();
  const seen = new Set(beginnings);
  const note = (path: string | null) => {
    if (path === null || seen.has(path)) return;
    seen.add(path);
    if (path.startsWith(UPLOADS)) files.add(path);
  };
  // Iterates a set that grows meanwhile.
  for (const path of seen) {
    if (path.startsWith(UPLOADS) || path.startsWith(`/${names.root}`) || ELSEWHERE.test(path)) continue;
    const {
      status,
      headers,
      body: pieces,
    } = answerPage({ url: path, password: null, attempt: noAttempt, fonts }, model);
    const location = headers['Location'];
    const target = location === undefined ? null : sitePath(location, model);
    if (target !== null) {
      moved.set(path, target);
      note(target);
    }
    if (status !== 200) continue;
    const body = pieces.join('');
    const type = headers['Content-Type'] ?? 'text/plain';
    const isPage = type.startsWith('text/html');
    pages.set(path, { type, body: isPage ? withoutForms(body) : body });
    const addresses = isPage
      ? addressesIn(body)
      : [...body.matchAll(/<(?:loc|link)>([^<]+)</g)].map(([, at = '']) => at);
    for (const address of addresses) note(sitePath(address, model));
    await onPage(pages.size);
  }
  return { pages, moved, files };
}

const noAttempt = () => ({ wait: 0, failed: () => undefined });

/** The path of an address below the site's, without fragment; null for other addresses. */
export function sitePath(address: string, model: Model): string | null {
  const { url } = model.site();
  const absolute = URL.parse(address, `${url}/`);
  const base = new URL(url);
  if (absolute === null || absolute.origin !== base.origin) return null;
  const folder = base.pathname.replace(/\/+$/, '');
  if (!absolute.pathname.startsWith(`${folder}/`)) return null;
  const query = absolute.search.slice(1);
  if (query !== '' && !TURN.test(query)) return null;
  return absolute.pathname.slice(folder.length) + (query === '' ? '' : `?${query}`);
}
