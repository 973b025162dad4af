import type { Deployment } from '#domain/plugins/deployment.ts';
import { type Extensions, shop } from '#domain/plugins/extensions/area.ts';
import type { BundledPlugin } from '#domain/plugins/extensions/catalogue.ts';
import { installedPlugins, pluginsIn } from '#plugin/loaded.ts';

const own: Readonly<Record<Deployment, BundledPlugin>> = {
  A: { slug: 'theme-blocks', name: 'Theme blocks', active: true },
  B: { slug: 'builder', name: 'Builder', active: true },
};

/** The plugins of a site. Its namespaces are fixed; only the shop can be activated. */
export function pluginsOf(deployment: Deployment, { activated }: Extensions): readonly BundledPlugin[] {
  return [
    { slug: 'cache', name: 'Cache', active: true },
    ...pluginsIn(deployment).flatMap((one) => (typeof one === 'string' ? [] : listed(one))),
    { slug: 'host-tools', name: 'Tools', active: true },
    own[deployment],
    { slug: shop, name: 'Shop', active: activated.includes(shop) },
    ...installedPlugins.flatMap(listed),
  ];
}

function listed({ listed: about }: Pick<(typeof installedPlugins)[number], 'listed'>): readonly BundledPlugin[] {
  return about === undefined ? [] : [{ ...about, active: true }];
}
