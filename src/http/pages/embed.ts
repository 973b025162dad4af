import type { Model } from '#projections/reading/model.ts';
import { type Item, plainExcerpt, plainTitle } from '#site/items/item.ts';
import { frameScript } from '#site/markup/frame-script.ts';
import { asHtml, type Html, html } from '#text/html.ts';
import { frameReply, type PageReply } from '../server/page-reply.ts';
import { itemTime } from './byline.ts';
import { frameStyle } from './style.ts';

export function embedPage(item: Item, model: Model): PageReply {
  const { name } = model.site();
  const excerpt = item.password === '' ? plainExcerpt(item) : 'This content is protected.';
  const main = html`<article dir="auto">
<h1><a href="${item.address}">${plainTitle(item)}</a></h1>
${excerpt === '' ? null : html`<p>${excerpt}</p>`}
<p class="meta">${itemTime(item)} · ${siteLink(model)}</p>
</article>`;
  return frameReply(frameDocument(`${plainTitle(item)} – ${name}`, main));
}

export function missingEmbed(model: Model): PageReply {
  const main = html`<h1>Not found</h1>
<p>What was to be shown here is not public.</p>
<p class="meta">${siteLink(model)}</p>`;
  return frameReply(frameDocument(`Not found – ${model.site().name}`, main), 404);
}

function siteLink(model: Model): Html {
  const { url, name } = model.site();
  return html`<a href="${url}/">${name}</a>`;
}

function frameDocument(title: string, main: Html): readonly string[] {
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${frameStyle}
</head>
<body>
<main>
${main}
</main>
${asHtml(`<script>${frameScript}</script>`)}
</body>
</html>
`.pieces;
}
