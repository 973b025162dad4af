import type { Model } from '#projections/reading/model.ts';
import { publicRendering } from '#site/builder/post-lists.ts';
import { sharedDesign } from '#site/builder/shared-designs.ts';
import { noPost } from '#site/rendering/posts.ts';
import { asHtml, html } from '#text/html.ts';
import { type PageReply, pageReply, redirectReply, unkept } from '../server/page-reply.ts';
import { pageDocument } from './layout.ts';

const ADDRESS = /^\/shared-designs\/([\da-f]{64})(\/?)$/;

/** A shared design at its secret address; null if the path is not one, or the design is no longer shared. */
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
  // The address alone gives access, so links must not reveal it.
  const headers = { ...reply.headers, 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' };
  return { ...reply, headers };
}
