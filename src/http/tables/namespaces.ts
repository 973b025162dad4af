import type { Deployment } from '#domain/plugins/deployment.ts';
import { installedPlugins, pluginsIn } from '../../plugin/loaded.ts';
import { contactForms } from './contact/routes.ts';
import { webhooks } from './hooks/routes.ts';
import type { Namespace } from './plugins/kit/namespace.ts';
import { namespacesOf } from './plugins/packages.ts';
import { hostTools } from './tools/routes.ts';

/** Namespaces inside the server that only some deployments have. */
const inside: readonly Namespace[] = [hostTools];

/** The plugin namespaces of a deployment in the order of the index, and those of packages. */
export function namespacesIn(deployment: Deployment): readonly Namespace[] {
  const own = pluginsIn(deployment).flatMap((one) =>
    typeof one === 'string' ? inside.filter(({ name }) => name === one) : namespacesOf(one),
  );
  return [...own, contactForms, webhooks, ...installedPlugins.flatMap(namespacesOf)];
}
