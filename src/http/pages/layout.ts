import type { Model, ShownSite } from '#projections/reading/model.ts';
import { interfaceUrl } from '#site/addresses/interface.ts';
import { type Content, html } from '#text/html.ts';
import { siteLanguage } from './language.ts';
import { pageMenu } from './menu.ts';
import { placedMenu } from './placed-menu.ts';
import { searchForm } from './search.ts';
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
<p>${bare ? null : html`<a href="${site.url}/">Latest posts</a> <a href="${site.url}/feed/">RSS feed</a> `}<a href="${interfaceUrl(site)}/docs/">For developers</a></p>
</footer>
</body>
</html>
`.pieces;
}

function windowTitle(title: string, { name }: Pick<ShownSite, 'name'>): string {
  return title === '' ? name : `${title} – ${name}`;
}
