import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Deployment } from '#domain/plugins/deployment.ts';
import { type Plugin, pluginShape } from './contract.ts';

/** Thrown when a package named by `PLUGINS` is unusable; the message addresses the operator. */
class UnusablePlugin extends Error {
  override readonly name = 'UnusablePlugin';
}

const here = pathToFileURL(`${process.cwd()}/`).href;
const entry = new URL('../plugin.ts', import.meta.url).href;
const isPath = (name: string) => /^\.{0,2}\//.test(name);

// Every plugin gets the entry of this program, wherever it is installed. Packages are resolved from the working directory.
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'palimpsest/plugin') return { url: entry, shortCircuit: true };
    return next(
      specifier,
      context.parentURL === import.meta.url && !isPath(specifier) ? { ...context, parentURL: here } : context,
    );
  },
});

const { bundled, demoRequests } = await import('./deployments.ts');

/** The plugins that come with the server. */
export const bundledPlugins: readonly Plugin[] = [
  ...new Set(
    Object.values(bundled)
      .flat()
      .filter((one) => typeof one !== 'string'),
  ),
];

/** The plugins of a deployment, and names of namespaces inside the server, in the order of the index. */
export function pluginsIn(deployment: Deployment): readonly (Plugin | string)[] {
  return bundled[deployment];
}

/** Names that packages cannot have: of these plugins, and first segments of their namespaces. */
export const bundledNames: readonly string[] = bundledPlugins.flatMap(({ name, namespaces }) => [
  name,
  ...namespaces.map((namespace) => namespace.name.replace(/\/.*/, '')),
]);

/**
 * The installed plugin packages. Every process and thread that knows areas imports this module, so that all have the same plugins; the
 * import waits until they are loaded.
 */
export const installedPlugins: readonly Plugin[] = await load(
  (process.env['PLUGINS'] ?? '').split(',').map((name) => name.trim()),
);

/** Everything that knows no deployment knows all of them. */
export const loadedPlugins: readonly Plugin[] = [...bundledPlugins, ...installedPlugins];

export { demoRequests };

async function load(names: readonly string[]): Promise<readonly Plugin[]> {
  const plugins: Plugin[] = [];
  for (const name of names.filter((one) => one !== '')) {
    const plugin = checked(name, await exportOf(name));
    if (plugins.some((other) => other.name === plugin.name)) {
      throw new UnusablePlugin(`PLUGINS names two plugins that are called ${plugin.name}`);
    }
    plugins.push(plugin);
  }
  return plugins;
}

async function exportOf(name: string): Promise<unknown> {
  try {
    const target = isPath(name) ? pathToFileURL(createRequire(here).resolve(name)).href : name;
    const { plugin } = (await import(target)) as { readonly plugin?: unknown };
    return plugin;
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split('\n');
    throw new UnusablePlugin(`PLUGINS names ${name}, which cannot be loaded: ${reason}`, { cause: error });
  }
}

function checked(name: string, found: unknown): Plugin {
  if (found === undefined) throw new UnusablePlugin(`PLUGINS names ${name}, which does not export a \`plugin\``);
  const read = pluginShape(bundledNames).safeParse(found);
  if (read.success) return found as Plugin;
  const faults = read.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${z.core.toDotPath(path)}: ${message}`,
  );
  throw new UnusablePlugin(`PLUGINS names ${name}, which is not a plugin for this server: ${faults.join('; ')}`);
}
