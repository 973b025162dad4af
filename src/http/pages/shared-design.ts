import type { Model } from '#projections/model.ts';
import { noPost } from '../rendering/posts.ts';
import { publicRendering } from '../rendering/rendering-of.ts';
import { sharedDesign } from '../tables/plugins/builder-library/sharing.ts';
import { asHtml, html } from './html.ts';
import { pageDocument } from './layout.ts';
import { type PageReply, pageReply, redirectReply, unkept } from './reply.ts';

const ADDRESS = /^\/shared-designs\/([\da-f]{64})(\/?)$/;

/** A design for whoever has its address; null where the path is none, or nothing is shared there any more. */
export function sharedDesignAt(path: string, model: Model, now: number): PageReply | null {
  const [, hash = '', slash] = ADDRESS.exec(path) ?? [];
  const design = hash === '' ? null : sharedDesign(hash, model, now);
  if (design === null) return null;
  const site = model.site();
  if (slash === '') return redirectReply(`${site.url}${path}/`);
  const content = publicRendering(model).content(noPost, { text: design.content });
  const main = html`<article>
<h1>${design.label}</h1>
<div class="content">
${asHtml(content)}
</div>
</article>`;
  const head = html`<meta name="robots" content="noindex">\n`;
  const reply = unkept(
    pageReply(pageDocument({ model, title: design.label, canonical: null, head, main, bare: true }), { site }),
  );
  // The address is all that it takes: it is not to be passed on by links.
  const headers = { ...reply.headers, 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' };
  return { ...reply, headers };
}
