import { anonymous } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { sourceUrl } from '#site/addresses/media.ts';
import { userLink } from '#site/addresses/users.ts';
import { type Item, plainExcerpt, plainTitle } from '#site/items/item.ts';
import { canReadMedia } from '#site/rights/media.ts';
import { asHtml, type Content, type Html, html } from '#text/html.ts';

/** Metadata for social networks and search engines: Open Graph and structured data. */
export function socialMeta(item: Item, model: Model): Content {
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
    dateModified: `${item.modifiedGmt}Z`,
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
