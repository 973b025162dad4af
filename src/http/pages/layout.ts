import type { Model, ShownSite } from '#projections/reading/model.ts';
import { interfaceUrl } from '#site/addresses/interface.ts';
import { type Item, plainExcerpt, plainTitle } from '#site/items/item.ts';
import { type Content, type Html, html, plain } from '#text/html.ts';
import { languageOfMarkup, languageOfText } from '#text/language.ts';
import { latest } from './listing.ts';
import { pageMenu, placedMenu } from './menu.ts';
import { pageStyle, siteStyle } from './style.ts';

export interface PageSheet {
  readonly model: Model;
  /** Title of the page; the name of the site is appended. */
  readonly title: string;
  /** Canonical address; null if there is none. */
  readonly canonical: string | null;
  readonly head?: Content;
  readonly styles?: Content;
  readonly main: Content;
  /** Without navigation to the rest of the site. */
  readonly bare?: true;
  readonly searches?: boolean;
}

/** The pieces of a whole page: the name of the site, the content, a link to the interface. */
export function pageDocument({
  model,
  title,
  canonical,
  head = null,
  styles = null,
  main,
  bare,
  searches,
}: PageSheet): readonly string[] {
  const site = model.site();
  return html`<!DOCTYPE html>
<html lang="${siteLanguage(site)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${windowTitle(title, site)}</title>
<link rel="${site.names.relations.index}" href="${interfaceUrl(site)}/">
${canonical === null ? null : html`<link rel="canonical" href="${canonical}">\n`}${head}${pageStyle}${siteStyle(model)}${styles}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>
<p class="name"><a href="${site.url}/" rel="home">${site.name}</a></p>
${site.description === '' ? null : html`<p>${site.description}</p>`}
${bare ? null : (placedMenu(model, canonical) ?? pageMenu(model, canonical))}
</header>
<main id="main">
${main}
</main>
<footer>
${bare || searches ? null : searchForm(model)}
<p>${bare ? null : html`<a href="${latest(model).address}">Latest posts</a> <a href="${site.storeUrl}/feed/">RSS feed</a> `}<a href="${interfaceUrl(site)}/docs/">For developers</a></p>
</footer>
</body>
</html>
`.pieces;
}

function windowTitle(title: string, { name }: Pick<ShownSite, 'name'>): string {
  return title === '' ? name : `${title} – ${name}`;
}

/** As `lang` and feeds name it. */
export function siteLanguage({ language }: Pick<ShownSite, 'language'>): string {
  return language === '' ? 'en' : language.replaceAll('_', '-');
}

/** Characters of a content that are examined: all of several megabytes would take seconds. */
const BEGINNING = 65_536;

/** Attributes for the language and direction of an item; null if they are those of the site. */
export function languageOf(item: Item, content: string | null): Html | null {
  const text = `${plainTitle(item)} ${content === null ? plainExcerpt(item) : plain(content.slice(0, BEGINNING))}`;
  const language = (content === null ? null : languageOfMarkup(content)) ?? languageOfText(text);
  if (language === null || (language.lang === null && language.dir === 'ltr')) return null;
  return html`${language.lang === null ? null : html` lang="${language.lang}"`} dir="${language.dir}"`;
}

export function searchForm(model: Model, words = ''): Html {
  const { pathname } = new URL(`${model.site().storeUrl}/`);
  return html`<form role="search" aria-label="This site" action="${pathname}" method="get">
<label for="s">Search</label>
<input id="s" name="s" type="search" value="${words}" maxlength="400" required>
<button>Search</button>
</form>`;
}
