import { pluginReader } from '#commands/plugin-model.ts';
import { anonymous } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { publicRendering } from '#site/post-lists/in-contents.ts';
import { noPost } from '#site/rendering/posts.ts';
import { asHtml, html } from '#text/html.ts';
import type { HiddenContent } from '../../plugin/hidden-pages.ts';
import { loadedPlugins } from '../../plugin/loaded.ts';
import { type PageReply, pageReply, redirectReply, unkept } from '../server/page-reply.ts';
import { pageDocument } from './layout.ts';
import { viewOf } from './plugin-view.ts';

const pages = loadedPlugins.flatMap(({ hiddenPages }) =>
  hiddenPages.map(({ path, show }) => ({ show, pattern: new RegExp(`^/${path.replaceAll('(?P<', '(?<')}/?$`) })),
);

/** A page of a plugin whose address alone gives access; null if there is none. */
export function hiddenPageAt(path: string, model: Model, now: number): PageReply | null {
  for (const { pattern, show } of pages) {
    const found = pattern.exec(path);
    if (found === null) continue;
    const params = found.groups ?? {};
    const shown = show({ model: pluginReader(model), publicView: viewOf(model, anonymous), params, now });
    if (shown === null) continue;
    return path.endsWith('/') ? replyWith(shown, model) : redirectReply(`${model.site().storeUrl}${path}/`);
  }
  return null;
}

function replyWith(shown: HiddenContent, model: Model): PageReply {
  const { title } = shown;
  const site = model.site();
  const content = publicRendering(model).content(noPost, { text: shown.content });
  const main = html`<article>
<h1>${title}</h1>
<div class="content">
${asHtml(content)}
</div>
</article>`;
  const head = html`<meta name="robots" content="noindex">\n`;
  const reply = unkept(pageReply(pageDocument({ model, title, canonical: null, head, main, bare: true }), { site }));
  const headers = { ...reply.headers, 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' };
  return { ...reply, headers };
}
