import { kindOf } from '#domain/entry/kinds.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/model.ts';
import { collectionUrl, permalink } from '../tables/entries/links.ts';
import { byline, termLine } from './byline.ts';
import { plainExcerpt, plainTitle, renderedContent } from './entry-text.ts';
import { asHtml, type Content, type Html, html } from './html.ts';
import { pageDocument } from './layout.ts';
import { type PageReply, pageReply, unkept } from './reply.ts';

/** The page of a post or page. `password` is the one that was sent with the request, if there was one. */
export function entryPage(row: EntryRow, model: Model, password: string | null): PageReply {
  const site = model.site();
  const opened = row.password === '' || password === row.password;
  const address = permalink(row, model);
  const record = `${collectionUrl(kindOf(row.kind), model)}/${row.id}`;
  const main = html`<article>
<h1>${plainTitle(row)}</h1>
${byline(row, model)}
<div class="content">
${opened ? asHtml(renderedContent(row)) : passwordForm(password !== null)}
</div>
${termLine(row, model)}
</article>`;
  const body = pageDocument({
    site,
    title: plainTitle(row),
    canonical: address,
    head: headOf({ row, address, record, base: `${site.url}/cms-json` }),
    main,
  });
  const links = [`<${record}>; rel="alternate"; type="application/json"`];
  const reply = pageReply(body, { site: site.url, links, status: opened || password === null ? 200 : 403 });
  return password === null ? reply : unkept(reply);
}

interface Head {
  readonly row: EntryRow;
  readonly address: string;
  readonly record: string;
  readonly base: string;
}

function headOf({ row, address, record, base }: Head): Content {
  const excerpt = plainExcerpt(row);
  const described = `${base}/oembed/1.0/embed?url=${encodeURIComponent(address)}`;
  return [
    excerpt === '' ? null : html`<meta name="description" content="${excerpt}">\n`,
    html`<link rel="alternate" type="application/json+oembed" href="${described}">\n`,
    html`<link rel="alternate" type="text/xml+oembed" href="${described}&amp;format=xml">\n`,
    html`<link rel="alternate" type="application/json" href="${record}">\n`,
  ];
}

/** Asks for the password; what it opens is shown once, and nothing is remembered. */
function passwordForm(failed: boolean): Html {
  return html`<form method="post">
<p>This content is protected. Enter its password to read it.</p>
${failed ? html`<p role="alert"><strong>That is not the password.</strong></p>` : null}
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="off" required>
<button>Show</button>
</form>`;
}
