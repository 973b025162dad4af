import { bundledPlugins, installedPlugins } from '../../../plugin/loaded.ts';
import { builderV3 } from './builder/routes.ts';
import { builderV2 } from './builder-library/routes.ts';
import { cacheV1, cacheV3 } from './cache/routes.ts';
import { contactForms } from './contact/routes.ts';
import { webhooks } from './hooks/routes.ts';
import type { Namespace } from './kit/namespace.ts';
import { hostOnboarding } from './onboarding/routes.ts';
import { namespacesOf } from './packages.ts';
import { themeBlocks } from './theme-blocks/routes.ts';
import { hostTools } from './tools/routes.ts';

/** All plugin namespaces in the order of the index: one line each, and those of packages. */
export const namespaces: readonly Namespace[] = [
  hostOnboarding,
  cacheV1,
  cacheV3,
  ...[...bundledPlugins].flatMap(([plugin, deployments]) => namespacesOf(plugin, { deployments })),
  hostTools,
  themeBlocks,
  builderV3,
  builderV2,
  contactForms,
  webhooks,
  ...installedPlugins.flatMap((plugin) => namespacesOf(plugin)),
];
