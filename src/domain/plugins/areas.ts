import { loadedPlugins } from '../../plugin/loaded.ts';
import { analytics } from './analytics/area.ts';
import type { Area } from './area.ts';
import { assistant } from './assistant/area.ts';
import { blockStyles } from './block-styles/area.ts';
import { cacheAssets } from './cache-assets/area.ts';
import { cacheCloud } from './cache-cloud/area.ts';
import { cacheCrawler } from './cache-crawler/area.ts';
import { cacheImages } from './cache-images/area.ts';
import { contact } from './contact/area.ts';
import { designLibrary } from './designs/area.ts';
import { extensions } from './extensions/area.ts';
import { hooks } from './hooks/area.ts';
import { iconLibrary } from './icons/area.ts';
import { onboarding } from './onboarding/area.ts';
import { renditions } from './renditions/area.ts';
import { builderSalt } from './salt/area.ts';
import { sharedDesigns } from './shared-designs/area.ts';
import { siteStyles } from './site-styles/area.ts';
import { templates } from './templates/area.ts';
import { themeStyles } from './theme-styles/area.ts';
import { tools } from './tools/area.ts';

/** All areas: one line each, and those of packages. Their events join the catalogue, their documents are projected. */
export const areas: readonly Area[] = [
  extensions,
  onboarding,
  tools,
  assistant,
  analytics,
  cacheCrawler,
  cacheCloud,
  cacheImages,
  cacheAssets,
  themeStyles,
  renditions,
  iconLibrary,
  blockStyles,
  designLibrary,
  builderSalt,
  siteStyles,
  sharedDesigns,
  templates,
  contact,
  hooks,
  ...loadedPlugins.flatMap((plugin) => plugin.areas),
];
