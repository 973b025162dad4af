import type { Deployment } from '#domain/plugins/deployment.ts';
import { demoRequests } from '#plugins/analytics/demo.ts';
import { plugin as analytics } from '#plugins/analytics/plugin.ts';
import { plugin as assistant } from '#plugins/assistant/plugin.ts';
import { plugin as builder } from '#plugins/builder/plugin.ts';
import { plugin as cache } from '#plugins/cache/plugin.ts';
import { plugin as onboarding } from '#plugins/onboarding/plugin.ts';
import { plugin as themeBlocks } from '#plugins/theme-blocks/plugin.ts';
import type { Plugin } from './contract.ts';

/** The plugins of each deployment, in the order of the index. Names are those of namespaces inside the server. */
export const bundled: Readonly<Record<Deployment, readonly (Plugin | string)[]>> = {
  A: [onboarding, cache, assistant, analytics, 'host-tools-plugin/v1', themeBlocks],
  B: [onboarding, cache, assistant, analytics, 'host-tools-plugin/v1', builder],
};

/** What the demonstration asks of the plugins, after a post. */
export { demoRequests };
