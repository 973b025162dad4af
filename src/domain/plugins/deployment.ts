/** The two described sets of plugin namespaces; a site has one of them for good. */
export const deployments = ['A', 'B'] as const;
export type Deployment = (typeof deployments)[number];
