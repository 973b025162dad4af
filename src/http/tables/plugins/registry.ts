import type { Namespace } from './kit/namespace.ts';

/** Every namespace of plugins, in the order of the index: one line each. */
export const namespaces: readonly Namespace[] = [];
