import { tools } from '#domain/tools/area.ts';
import type { Model } from '#projections/reading/model.ts';
import type { PageReply } from '../server/page-reply.ts';

/** Serves `/robots.txt`, which excludes crawlers from everything during maintenance. Null for any other path. */
export function robotsText(path: string, model: Model): PageReply | null {
  if (path !== '/robots.txt') return null;
  const { url } = model.site();
  const isClosed = model.plugin(tools).switches.maintenance_mode;
  const { pathname } = new URL(`${url}/`);
  const rules = isClosed ? [`Disallow: ${pathname}`] : [`Disallow: ${pathname}cms-audit/`, `Disallow: ${pathname}?s=`];
  const lines = ['User-agent: *', ...rules, ...(isClosed ? [] : ['', `Sitemap: ${url}/sitemap.xml`])];
  const headers = { 'Content-Type': 'text/plain; charset=UTF-8', 'Cache-Control': 'no-cache' };
  return { status: 200, headers, body: [`${lines.join('\n')}\n`] };
}

/** Responds to automatic requests for an icon with a cacheable 204, because there is none. */
export function iconAt(path: string): PageReply | null {
  if (path !== '/favicon.ico') return null;
  return { status: 204, headers: { 'Cache-Control': 'public, max-age=86400' }, body: [] };
}
