import type { ShownSite } from '#projections/reading/model.ts';
import { interfaceUrl } from '#site/addresses/interface.ts';
import { frameScriptSource } from '#site/markup/frame-script.ts';
import { type Html, html } from '#text/html.ts';

export interface PageReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Its pieces in order. */
  readonly body: readonly string[];
}

/**
 * Contents are shown as trusted roles stored them, so pages must not run scripts. Their styles apply; images, media and frames may
 * come from anywhere.
 */
const CONTENT_RULES = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src http: https: data:',
  "connect-src 'self'",
  "font-src 'self'",
  'media-src http: https:',
  'frame-src http: https:',
  "base-uri 'none'",
];
const PAGE_POLICY = [...CONTENT_RULES, "script-src 'none'", "form-action 'self'", "frame-ancestors 'self'"].join('; ');
const FRAME_POLICY = [
  ...CONTENT_RULES,
  `script-src ${frameScriptSource}`,
  "form-action 'none'",
  'frame-ancestors *',
].join('; ');

const HTML_HEADERS = {
  'Content-Type': 'text/html; charset=UTF-8',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  // Revalidated each time; an unchanged page costs a few bytes.
  'Cache-Control': 'no-cache',
};

/** A page; `links` are additional values of the `Link` header. */
export function pageReply(body: readonly string[], { site, links = [], status = 200 }: PageParts): PageReply {
  const Link = [`<${interfaceUrl(site)}/>; rel="${site.names.relations.index}"`, ...links].join(', ');
  return { status, headers: { ...HTML_HEADERS, 'Content-Security-Policy': PAGE_POLICY, Link }, body };
}

export interface PageParts {
  readonly site: ShownSite;
  readonly links?: readonly string[];
  readonly status?: number;
}

export function frameReply(body: readonly string[], status = 200): PageReply {
  const headers = { ...HTML_HEADERS, 'Content-Security-Policy': FRAME_POLICY, 'X-Robots-Tag': 'noindex' };
  return { status, headers, body };
}

/** Redirects to the current address of an item. Addresses change with its data, so the redirect is not cached. */
export function redirectReply(address: string): PageReply {
  return { status: 301, headers: { Location: address, 'Cache-Control': 'no-cache' }, body: [] };
}

/** Leads a browser on after a form, with a cookie. */
export function seeOther(address: string, cookie?: string): PageReply {
  const headers = cookie === undefined ? {} : { 'Set-Cookie': cookie };
  return { status: 303, headers: { Location: address, ...headers, 'Cache-Control': 'no-store' }, body: [] };
}

/** The same reply, not to be stored. */
export function unkept(reply: PageReply): PageReply {
  return { ...reply, headers: { ...reply.headers, 'Cache-Control': 'no-store' } };
}

/** The fields of a log-in form. */
export function credentialFields(login: string): Html {
  return html`<p class="field"><label for="login">Login or mail address</label><input id="login" name="login" autocomplete="username" autocapitalize="none" spellcheck="false" required value="${login}"></p>
<p class="field"><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required></p>`;
}
