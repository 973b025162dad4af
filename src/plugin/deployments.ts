import type { Deployment } from '#domain/plugins/deployment.ts';
import { plugin as analytics } from '#plugins/analytics/plugin.ts';
import { plugin as assistant } from '#plugins/assistant/plugin.ts';
import type { Plugin } from './contract.ts';

/** The plugins of each deployment, in the order of the index. */
export const bundled: Readonly<Record<Deployment, readonly Plugin[]>> = {
  A: [assistant, analytics],
  B: [assistant, analytics],
};
