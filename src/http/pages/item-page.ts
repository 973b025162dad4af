import type { ClassRule } from '#blocks/supports/style-rule.ts';
import { anonymous } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { interfaceUrl } from '#site/addresses/interface.ts';
import { sourceUrl, userLink } from '#site/addresses/items.ts';
import { contactForm, contactFormOf, outcomeParameter } from '#site/contact.ts';
import { type Item, plainExcerpt, plainTitle } from '#site/items/item.ts';
import { largeImage } from '#site/media/image.ts';
import { canReadMedia } from '#site/rights.ts';
import { asHtml, type Content, type Html, html } from '#text/html.ts';
import { parseQuery } from '#text/query-string.ts';
import type { PostAttempt } from '../engine/types.ts';
import { type PageReply, pageReply, unkept } from '../server/page-reply.ts';
import { byline, termLine } from './byline.ts';
import { commentPageAddress, type DiscussionPlace, discussion, pagesOfComments } from './discussion.ts';
import { feedAddress } from './feed.ts';
import { languageOf, pageDocument } from './layout.ts';
import { stylesFor, withFirstImages } from './made-for.ts';
import { breadcrumbs, neighbours } from './menu.ts';

export interface Tried {
  readonly password: string | null;
  readonly attempt: PostAttempt;
  /** Query string of the address, without its question mark. */
  readonly query: string;
  readonly talk: DiscussionPlace;
}

/** The page of an item; a protected one is shown only with its password. */
export function itemPage(item: Item, model: Model, { password, attempt: leave, query, talk }: Tried): PageReply {
  const attempt = password === null || item.password === '' ? undefined : leave(item.id);
  if (attempt !== undefined && attempt.wait > 0) return tooMany(item, model, attempt.wait);
  if (password !== item.password) attempt?.failed();
  const site = model.site();
  const opened = item.password === '' || password === item.password;
  const title = plainTitle(item);
  const lead = opened ? leadPicture(item, model) : null;
  const rules: ClassRule[] = [];
  const whole = opened ? item.content(query, (told) => rules.push(...told)) : '';
  const content = lead !== null && item.type === 'attachment' ? whole.replace(ATTACHED, '') : whole;
  const main = html`<article${languageOf(item, opened ? content : null)}>
${breadcrumbs(item, model)}
${item.template === 'page-no-title' ? null : html`<h1>${title}</h1>`}
${item.type === 'page' ? null : byline(item, model)}
${lead}
${item.price === null ? null : html`<p class="price">${item.price}</p>\n`}<div class="content">
${opened ? asHtml(scrollable(withFirstImages(content, item, model))) : passwordForm(password !== null)}
</div>
${opened ? formPart(item, model, query) : null}
${termLine(item, model)}
</article>
${neighbours(item, model)}
${opened && !OWN_COMMENTS.test(content) ? discussion(item, model, talk) : null}`;
  const head = [headOf(item, interfaceUrl(site)), commentFeed(item, model), socialMeta(item, model)];
  const canonical = addressOf(item, talk, model);
  const body = pageDocument({ model, title, canonical, head, styles: stylesFor(item, rules, model), main });
  const links = [`<${item.record}>; rel="alternate"; type="application/json"`];
  const status = opened || password === null ? (talk.refused?.status ?? 200) : 403;
  const reply = pageReply(body, { site, links, status });
  return password === null && talk.refused === null ? reply : unkept(reply);
}

/** Contents with this block show the comments themselves. */
const OWN_COMMENTS = /class="[^"]*\bwp-block-comments\b/;

function tooMany(item: Item, model: Model, wait: number): PageReply {
  const site = model.site();
  const title = plainTitle(item);
  const main = html`<h1>${title}</h1>
<p role="alert">Too many wrong passwords. Please try again in ${wait} seconds.</p>`;
  const reply = unkept(pageReply(pageDocument({ model, title, canonical: item.address, main }), { site, status: 429 }));
  return { ...reply, headers: { ...reply.headers, 'Retry-After': String(wait) } };
}

function headOf(item: Item, base: string): Content {
  const excerpt = plainExcerpt(item);
  const described = `${base}/oembed/1.0/embed?url=${encodeURIComponent(item.address)}`;
  return [
    excerpt === '' ? null : html`<meta name="description" content="${excerpt}">\n`,
    html`<link rel="alternate" type="application/json+oembed" href="${described}">\n`,
    html`<link rel="alternate" type="text/xml+oembed" href="${described}&amp;format=xml">\n`,
    html`<link rel="alternate" type="application/json" href="${item.record}">\n`,
  ];
}

function addressOf({ address, id }: Item, { page }: DiscussionPlace, model: Model): string {
  if (page === null) return address;
  return commentPageAddress(address, page, pagesOfComments({ id }, model)).replace(/#.*/, '');
}

function commentFeed(item: Item, model: Model): Html | null {
  const hasOne = item.password === '' && !item.address.includes('?') && model.comments.count(item.id) > 0;
  const title = `Comments on ${plainTitle(item)}`;
  return hasOne
    ? html`<link rel="alternate" type="application/rss+xml" title="${title}" href="${feedAddress(item, model)}">\n`
    : null;
}

function formPart(item: Item, model: Model, query: string): Html | null {
  const form = item.type === 'page' ? contactFormOf(item.id, model) : null;
  if (form === null) return null;
  return contactForm(
    { id: item.id, title: plainTitle(item) },
    model,
    String(parseQuery(query)[outcomeParameter] ?? ''),
  );
}

/** The featured image, or the image of a media item with a link to its file. */
function leadPicture({ type, image }: Item, model: Model): Html | null {
  const row = model.media(image);
  if (row?.image == null || !canReadMedia(anonymous, row, model)) return null;
  const picture = asHtml(largeImage(row, model));
  const { width, height } = row.shown ?? row.image;
  const isWide = width >= WIDE && width > height;
  const link = html`<figcaption><a href="${sourceUrl(row, model)}">Open the file</a> (${row.image.width} × ${row.image.height} pixels)</figcaption>`;
  return html`<figure class="lead${isWide ? ' alignwide' : ''}">${picture}${type === 'attachment' ? link : null}</figure>\n`;
}

/** Pixels from which an image may be wider than the text. */
const WIDE = 1000;
/** What the interface adds to the description of a media item: it repeats an image that the page already shows. */
const ATTACHED = /^<p class="attachment">.*?<\/p>\n?/s;

/** Elements that may be wider than the page, so that keyboards can scroll them. */
const SCROLLING =
  /<(?:pre(?=[\s>])|figure(?= class="wp-block-table)|(?<!wp-block-(?:table|calendar)[^<>]*><)table(?=[\s>]))/gi;

function scrollable(content: string): string {
  return content.replace(SCROLLING, '$& tabindex=0');
}

/** A form for the password, which shows the content once; nothing is remembered. */
function passwordForm(failed: boolean): Html {
  return html`<form method="post">
<p>This content is protected. Enter its password to read it.</p>
${failed ? html`<p role="alert"><strong>Wrong password. Please try again.</strong></p>` : null}
<p><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="off" required> <button>Show</button></p>
</form>`;
}

/** Metadata for social networks and search engines: Open Graph and structured data. */
function socialMeta(item: Item, model: Model): Content {
  const site = model.site();
  const excerpt = plainExcerpt(item);
  const picture = pictureOf(item, model);
  const properties: readonly (readonly [string, string])[] = [
    ['og:type', item.type === 'post' ? 'article' : 'website'],
    ['og:title', plainTitle(item)],
    ['og:url', item.address],
    ['og:site_name', site.name],
    ...(excerpt === '' ? [] : [['og:description', excerpt] as const]),
    ...(picture === null ? [] : [['og:image', picture] as const]),
  ];
  return [
    properties.map(([name, content]) => html`<meta property="${name}" content="${content}">\n`),
    html`<meta name="twitter:card" content="${picture === null ? 'summary' : 'summary_large_image'}">\n`,
    structured(item, model, picture),
  ];
}

function structured(item: Item, model: Model, picture: string | null): Html {
  const { name, url } = model.site();
  const author = model.user(item.author);
  const data = {
    '@context': 'https://schema.org',
    '@type': item.type === 'post' ? 'BlogPosting' : 'WebPage',
    headline: plainTitle(item),
    url: item.address,
    datePublished: `${item.dateGmt ?? item.date}Z`,
    dateModified: `${item.updatedGmt}Z`,
    ...(picture === null ? {} : { image: picture }),
    ...(author === undefined
      ? {}
      : { author: { '@type': 'Person', name: author.displayName, url: userLink(author, url) } }),
    publisher: { '@type': 'Organization', name, url: `${url}/` },
  };
  const text = JSON.stringify(data).replaceAll('<', '\\u003c');
  return asHtml(`<script type="application/ld+json">${text}</script>\n`);
}

function pictureOf({ image, password }: Item, model: Model): string | null {
  const row = image === 0 || password !== '' ? undefined : model.media(image);
  return row === undefined || row.image === null || !canReadMedia(anonymous, row, model) ? null : sourceUrl(row, model);
}
