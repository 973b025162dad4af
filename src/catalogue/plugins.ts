import type { Deployment } from '#domain/plugins/deployment.ts';
import { type Extensions, shop } from '#domain/plugins/extensions/area.ts';
import type { BundledPlugin } from '#domain/plugins/extensions/catalogue.ts';
import type { Documents, FileForm, Plugin } from '#plugin/contract.ts';
import { installedPlugins, loadedPlugins, pluginsIn } from '#plugin/loaded.ts';

const own: Readonly<Record<Deployment, BundledPlugin>> = {
  A: { slug: 'theme-blocks', name: 'Theme blocks', active: true },
  B: { slug: 'builder', name: 'Builder', active: true },
};

/** The plugins of a site. Its namespaces are fixed; only the shop can be activated. */
export function pluginsOf(deployment: Deployment, { activated }: Extensions): readonly BundledPlugin[] {
  const bundled = pluginsIn(deployment).flatMap((one) => (typeof one === 'string' ? [] : one));
  const isFirst = ({ listed: about }: Plugin) => about?.first === true;
  return [
    ...bundled.filter(isFirst).flatMap(listed),
    ...bundled.filter((plugin) => !isFirst(plugin)).flatMap(listed),
    { slug: 'host-tools', name: 'Tools', active: true },
    own[deployment],
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

function listed({ listed: about }: Plugin): readonly BundledPlugin[] {
  return about === undefined ? [] : [{ slug: about.slug, name: about.name, active: true }];
}
