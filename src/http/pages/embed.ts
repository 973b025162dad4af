import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/model.ts';
import { permalink } from '../tables/entries/links.ts';
import { entryTime } from './byline.ts';
import { plainExcerpt, plainTitle } from './entry-text.ts';
import { type Html, html } from './html.ts';
import { frameReply, type PageReply } from './reply.ts';
import { frameStyle } from './style.ts';

/** A card of an entry, for a frame on any page. Its links open a window of their own. */
export function embedPage(row: EntryRow, model: Model): PageReply {
  const { name } = model.site();
  const address = permalink(row, model);
  const excerpt = row.password === '' ? plainExcerpt(row) : 'This content is protected.';
  const main = html`<article>
<h1><a href="${address}" target="_blank" rel="noopener">${plainTitle(row)}</a></h1>
${excerpt === '' ? null : html`<p>${excerpt}</p>`}
<p class="meta">${entryTime(row)} · ${siteLink(model)}</p>
</article>`;
  return frameReply(frameDocument(`${plainTitle(row)} – ${name}`, main));
}

/** What a frame shows whose entry is not there, or not for everybody. */
export function missingEmbed(model: Model): PageReply {
  const main = html`<h1>Not found</h1>
<p>What was to be shown here is not public.</p>
<p class="meta">${siteLink(model)}</p>`;
  return frameReply(frameDocument(`Not found – ${model.site().name}`, main), 404);
}

function siteLink(model: Model): Html {
  const { url, name } = model.site();
  return html`<a href="${url}/" target="_blank" rel="noopener">${name}</a>`;
}

function frameDocument(title: string, main: Html): string {
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
</body>
</html>
`.markup;
}
