import { timingSafeEqual } from 'node:crypto';
import { tools } from '#domain/tools/area.ts';
import { may, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { html } from '#text/html.ts';
import { parseQuery } from '#text/query-string.ts';
import { type PageReply, pageReply, redirectReply, unkept } from '../server/page-reply.ts';
import { pageDocument } from './layout.ts';

export interface Visit {
  readonly url: string;
  /** The `Host` header. */
  readonly host: string;
  readonly secure: boolean;
  /** The `Cookie` header. */
  readonly cookie: string;
  readonly viewer: Viewer;
}

/** Whether a visit may continue, and with which response headers. */
export type Passage = { readonly reply: PageReply } | { readonly headers: Readonly<Record<string, string>> };

/** Name of the parameter and of the cookie that bypass the maintenance page. */
const pass = 'bypass_code';
export const nothingHere: Passage = { headers: {} };
const retry = { 'Retry-After': '600' };

/** Applies the site's tools to its pages: maintenance mode and redirects. The JSON interface is not affected. */
export function passageFor(visit: Visit, model: Model): Passage {
  // Crawlers must be able to read that everything is excluded.
  if (visit.url === '/robots.txt') return nothingHere;
  const { switches, code } = model.plugin(tools);
  const moved = (switches.force_https && isPlain(visit, model)) || (switches.force_www && isBare(visit.host, model));
  if (moved) return { reply: redirectReply(`${model.site().storeUrl}${visit.url}`) };
  if (!switches.maintenance_mode || may(visit.viewer, 'manage_options')) return nothingHere;
  if (code !== '' && isSame(inQuery(visit.url), code)) return { headers: { 'Set-Cookie': cookieOf(code, model) } };
  return code !== '' && isSame(inCookie(visit.cookie), code) ? nothingHere : { reply: maintenancePage(model) };
}

/** True if the request came without https to a site with https. On a site without https a redirect would loop. */
function isPlain({ secure }: Visit, model: Model): boolean {
  return !secure && model.site().storeUrl.startsWith('https:');
}

/** Whether the host is that of the site without its `www.`. */
function isBare(host: string, model: Model): boolean {
  return `www.${host.toLowerCase()}` === new URL(model.site().storeUrl).host;
}

function inQuery(url: string): string {
  const sent = parseQuery(url.split(/\?(.*)/s)[1] ?? '')[pass];
  return typeof sent === 'string' ? sent : '';
}

function inCookie(header: string): string {
  const pairs = header.split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === pass)?.[1] ?? '';
}

/** A session cookie; changing the code invalidates it earlier. */
function cookieOf(code: string, model: Model): string {
  const { protocol, pathname } = new URL(model.site().storeUrl);
  const secure = protocol === 'https:' ? '; Secure' : '';
  return `${pass}=${code}; Path=${pathname}; HttpOnly; SameSite=Lax${secure}`;
}

function isSame(sent: string, code: string): boolean {
  const [left, right] = [Buffer.from(sent), Buffer.from(code)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function maintenancePage(model: Model): PageReply {
  const site = model.site();
  const main = html`<h1>Back soon</h1>
<p>We are working on this site. Please come back a little later.</p>`;
  const body = pageDocument({ model, title: 'Back soon', canonical: null, main, bare: true });
  const reply = unkept(pageReply(body, { site, status: 503 }));
  return { ...reply, headers: { ...reply.headers, ...retry } };
}
