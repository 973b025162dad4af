import { namespaceName } from '#domain/site/interface-names.ts';

import type { ShownSite } from '#projections/reading/model.ts';
import { asciiJson, type JsonText } from '#text/json.ts';

/** The namespace of posts, pages and what belongs to them. */
export const CONTENT = 'cms/v2';

/** Address of the route root, without trailing slash. */
export function interfaceUrl({ storeUrl, names }: ShownSite): string {
  return `${storeUrl}/${names.root}`;
}

/** Where this server has what an address names, which may be that of a page of the front end. */
export function atStore(address: string, { url, storeUrl }: ShownSite): string {
  return address.startsWith(url) ? storeUrl + address.slice(url.length) : address;
}

/** Address of a namespace, without trailing slash. */
export function namespaceUrl(site: ShownSite, namespace: string): string {
  return `${interfaceUrl(site)}/${namespaceName(site.names, namespace)}`;
}

export interface LinkParts {
  readonly rest: string;
  /** Prefix of abbreviated relations, without the colon. */
  readonly prefix: string;
  /** The member of `_links` that explains the abbreviation. */
  readonly curies: JsonText;
}

const known = new WeakMap<ShownSite, LinkParts>();

/** The parts of which links are made; computed once per site. */
export function linkParts(site: ShownSite): LinkParts {
  let parts = known.get(site);
  if (parts === undefined) {
    const { prefix, address } = site.names.relations;
    parts = {
      rest: asciiJson(namespaceUrl(site, CONTENT)).slice(1, -1),
      prefix,
      curies: `"curies":${asciiJson([{ name: prefix, href: address, templated: true }])}`,
    };
    known.set(site, parts);
  }
  return parts;
}
