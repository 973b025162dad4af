import type { Model } from '#projections/reading/model.ts';
import { html } from '#text/html.ts';
import { type PageReply, pageReply, unkept } from '../server/page-reply.ts';
import { pageDocument } from './layout.ts';

const retry = { 'Retry-After': '600' };

export function maintenancePage(model: Model): PageReply {
  const site = model.site();
  const main = html`<h1>Back soon</h1>
<p>We are working on this site. Please come back a little later.</p>`;
  const body = pageDocument({ model, title: 'Back soon', canonical: null, main, bare: true });
  const reply = unkept(pageReply(body, { site, status: 503 }));
  return { ...reply, headers: { ...reply.headers, ...retry } };
}
