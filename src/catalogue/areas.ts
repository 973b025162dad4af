import type { Area } from '#domain/plugins/area.ts';
import { contact } from '#domain/plugins/contact/area.ts';
import { extensions } from '#domain/plugins/extensions/area.ts';
import { hooks } from '#domain/plugins/hooks/area.ts';
import { cacheAssets } from '#domain/plugins/page-assets/area.ts';
import { renditions } from '#domain/plugins/renditions/area.ts';
import { siteStyles } from '#domain/plugins/site-styles/area.ts';
import { templates } from '#domain/plugins/templates/area.ts';
import { tools } from '#domain/plugins/tools/area.ts';
import { bundledPlugins, installedPlugins } from '#plugin/loaded.ts';

/** All areas: one line each, and those of packages. Their events join the catalogue, their documents are projected. */
export const areas: readonly Area[] = [
  extensions,
  ...bundledPlugins.flatMap((plugin) => plugin.areas),
  tools,
  cacheAssets,
  renditions,
  siteStyles,
  templates,
  contact,
  hooks,
  ...installedPlugins.flatMap((plugin) => plugin.areas),
];
