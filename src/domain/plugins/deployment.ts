/** The two sets of plugin namespaces. A site keeps its set for good. */
export const deployments = ['A', 'B'] as const;
export type Deployment = (typeof deployments)[number];
