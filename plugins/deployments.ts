/** The plugins of each deployment, in the order of the index: paths from here. Other names are those of namespaces inside the server. */
export const bundled = {
  A: [
    './onboarding/plugin.ts',
    './cache/plugin.ts',
    './assistant/plugin.ts',
    './analytics/plugin.ts',
    'host-tools-plugin/v1',
    './theme-blocks/plugin.ts',
  ],
  B: [
    './onboarding/plugin.ts',
    './cache/plugin.ts',
    './assistant/plugin.ts',
    './analytics/plugin.ts',
    'host-tools-plugin/v1',
    './builder/plugin.ts',
  ],
};
