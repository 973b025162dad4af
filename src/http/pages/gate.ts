import { timingSafeEqual } from 'node:crypto';
import { tools } from '#domain/plugins/tools/area.ts';
import { may, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/model.ts';
import { parseQuery } from '../engine/query-string.ts';
import { maintenancePage } from './maintenance.ts';
import { type PageReply, redirectReply } from './reply.ts';

export interface Visit {
  readonly url: string;
  /** The `Host` header. */
  readonly host: string;
  readonly secure: boolean;
  /** The `Cookie` header. */
  readonly cookie: string;
  readonly viewer: Viewer;
}

/** Whether a visit may go on; with headers that its answer gets. */
export type Passage = { readonly reply: PageReply } | { readonly headers: Readonly<Record<string, string>> };

/** Name of the parameter, and of the cookie, that leads past the maintenance page. */
const pass = 'bypass_code';
export const nothing: Passage = { headers: {} };

/** Carries out what the tools of the site say of its pages; the JSON interface is none of their business. */
export function passageFor(visit: Visit, model: Model): Passage {
  // Crawlers have to be told that there is nothing for them.
  if (visit.url === '/robots.txt') return nothing;
  const { switches, code } = model.plugin(tools);
  const moved = (switches.force_https && isPlain(visit, model)) || (switches.force_www && isBare(visit.host, model));
  if (moved) return { reply: redirectReply(`${model.site().url}${visit.url}`) };
  if (!switches.maintenance_mode || may(visit.viewer, 'manage_options')) return nothing;
  if (code !== '' && isSame(inQuery(visit.url), code)) return { headers: { 'Set-Cookie': cookieOf(code, model) } };
  return code !== '' && isSame(inCookie(visit.cookie), code) ? nothing : { reply: maintenancePage(model) };
}

/** True if the request came without https to a site with https. A redirect on a site without https would loop. */
function isPlain({ secure }: Visit, model: Model): boolean {
  return !secure && model.site().url.startsWith('https:');
}

/** Whether a visitor came by the name of the site without its `www.`. */
function isBare(host: string, model: Model): boolean {
  return `www.${host.toLowerCase()}` === new URL(model.site().url).host;
}

function inQuery(url: string): string {
  const sent = parseQuery(url.split(/\?(.*)/s)[1] ?? '')[pass];
  return typeof sent === 'string' ? sent : '';
}

function inCookie(header: string): string {
  const pairs = header.split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === pass)?.[1] ?? '';
}

/** Ends with the browser; another code makes it worthless before. */
function cookieOf(code: string, model: Model): string {
  const { protocol, pathname } = new URL(model.site().url);
  const secure = protocol === 'https:' ? '; Secure' : '';
  return `${pass}=${code}; Path=${pathname}; HttpOnly; SameSite=Lax${secure}`;
}

function isSame(sent: string, code: string): boolean {
  const [left, right] = [Buffer.from(sent), Buffer.from(code)];
  return left.length === right.length && timingSafeEqual(left, right);
}
