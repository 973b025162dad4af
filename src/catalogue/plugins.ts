import { type Extensions, shop } from '#domain/extensions/area.ts';
import type { BundledPlugin } from '#domain/extensions/catalogue.ts';
import type { Deployment } from '#domain/plugins/deployment.ts';
import type { Documents, FileForm, Plugin, StyledPlace, StyleRule } from '#plugin/contract.ts';
import { installedPlugins, loadedPlugins, pluginsIn } from '#plugin/loaded.ts';

/** Namespaces inside the server that the interface lists as plugins. */
const inside: Readonly<Record<string, BundledPlugin>> = {
  'host-tools-plugin/v1': { slug: 'host-tools', name: 'Tools', active: true },
};

/** The plugins of a site. Its namespaces are fixed; only the shop can be activated. */
export function pluginsOf(deployment: Deployment, { activated }: Extensions): readonly BundledPlugin[] {
  const bundled = pluginsIn(deployment);
  const isFirst = (one: Plugin | string) => typeof one !== 'string' && one.listed?.first === true;
  return [
    ...bundled.filter(isFirst).flatMap(listed),
    ...bundled.filter((one) => !isFirst(one)).flatMap(listed),
    { slug: shop, name: 'Shop', active: activated.includes(shop) },
    ...installedPlugins.flatMap(listed),
  ];
}

/** Whether a network delivers the media of the site. */
export function isDelivered(model: Documents): boolean {
  return loadedPlugins.some(({ delivers }) => delivers?.(model));
}

/** Ids of the crawlers that are paused. */
export function crawlersPaused(model: Documents): readonly number[] {
  return loadedPlugins.flatMap(({ pausedCrawlers }) => pausedCrawlers?.(model) ?? []);
}

/** Other forms of the files of a media item. */
export function formsOf(model: Documents, media: number): readonly FileForm[] {
  return loadedPlugins.flatMap(({ fileForms }) => fileForms?.(model, media) ?? []);
}

/** Style rules of blocks for a place. */
export function stylesOf(
  model: Parameters<NonNullable<Plugin['pageStyles']>>[0],
  place: StyledPlace,
): readonly StyleRule[] {
  return loadedPlugins.flatMap(({ pageStyles }) => pageStyles?.(model, place) ?? []);
}

function listed(plugin: Plugin | string): readonly BundledPlugin[] {
  if (typeof plugin === 'string') return [inside[plugin] ?? []].flat();
  const { listed: about } = plugin;
  return about === undefined ? [] : [{ slug: about.slug, name: about.name, active: true }];
}
