import { takesTokens } from '#commands/token-viewer.ts';
import { gmtNow, secondsBetween, toLocal } from '#domain/time/local.ts';
import { tools } from '#domain/tools/area.ts';
import type { Model, ShownSite } from '#projections/reading/model.ts';
import { CONTENT, interfaceUrl, namespaceUrl } from '#site/addresses/interface.ts';
import { sourceUrl } from '#site/addresses/items.ts';
import { isPrivate } from '#site/rights.ts';
import { asMarkup } from './settings/routes.ts';

/** Leading fields of the site index, and its links (interface behaviour, section 24). */
export function siteFields(model: Model, clock: () => number): Readonly<Record<string, unknown>> {
  const site = model.site();
  const { name, description, url, storeUrl, timezone, siteLogo, siteIcon } = site;
  const gmt = gmtNow(clock());
  const icon = siteIcon === 0 ? undefined : model.media(siteIcon);
  return {
    name: asMarkup(name),
    description: asMarkup(description),
    url: storeUrl,
    home: url,
    gmt_offset: String(secondsBetween(gmt, toLocal(gmt, timezone)) / 3600),
    timezone_string: /^[+-]/.test(timezone) ? '' : timezone,
    page_for_posts: site.pageForPosts,
    page_on_front: site.pageOnFront,
    show_on_front: site.showOnFront,
    site_logo: siteLogo === 0 ? null : siteLogo,
    site_icon: siteIcon,
    site_icon_url: icon === undefined || isPrivate(icon) ? '' : sourceUrl(icon, model),
    ...(takesPasswords(model) ? { authentication: ways(storeUrl) } : {}),
    ...(takesTokens(model) ? { mcp: { endpoint: `${interfaceUrl(site)}/mcp` } } : {}),
    extensions: { batch: { v1: { reads: true } } },
    _links: linksOf(site),
  };
}

function takesPasswords(model: Model): boolean {
  return !model.plugin(tools).switches.disable_authentication_password;
}

function ways(url: string): unknown {
  return { 'application-passwords': { endpoints: { authorization: `${url}/authorize-application` } } };
}

function linksOf(site: ShownSite): Readonly<Record<string, unknown>> {
  const { siteLogo, siteIcon, names } = site;
  const { prefix, address } = names.relations;
  const images = [
    { type: 'site_logo', id: siteLogo },
    { type: 'site_icon', id: siteIcon },
  ].filter(({ id }) => id !== 0);
  const media = `${namespaceUrl(site, CONTENT)}/media`;
  return {
    help: [{ href: `${interfaceUrl(site)}/` }],
    ...(images.length === 0
      ? {}
      : {
          [`${prefix}:featuredmedia`]: images.map(({ type, id }) => ({
            embeddable: true,
            href: `${media}/${id}`,
            type,
          })),
          curies: [{ name: prefix, href: address, templated: true }],
        }),
  };
}
