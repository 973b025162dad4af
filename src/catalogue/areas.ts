import { contact } from '#domain/contact/area.ts';
import { extensions } from '#domain/extensions/area.ts';
import { legalHolds } from '#domain/hold/area.ts';
import { hooks } from '#domain/hooks/area.ts';
import { migrations } from '#domain/migration/area.ts';
import { cacheAssets } from '#domain/page-assets/area.ts';
import type { Area } from '#domain/plugins/area.ts';
import { previews } from '#domain/preview/area.ts';
import { releases } from '#domain/release/area.ts';
import { renditions } from '#domain/renditions/area.ts';
import { siteStyles } from '#domain/site-styles/area.ts';
import { templates } from '#domain/templates/area.ts';
import { tools } from '#domain/tools/area.ts';
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
  releases,
  previews,
  legalHolds,
  migrations,
  ...installedPlugins.flatMap((plugin) => plugin.areas),
];
