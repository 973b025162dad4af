import { createRequire, registerHooks } from 'node:module';
import { isAbsolute } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Deployment } from '#domain/plugins/deployment.ts';
import { type Plugin, pluginShape } from './contract.ts';

/** Thrown when a named plugin is unusable; the message addresses the operator. */
class UnusablePlugin extends Error {
  override readonly name = 'UnusablePlugin';
}

const here = pathToFileURL(`${process.cwd()}/`).href;
const entry = new URL('../plugin.ts', import.meta.url).href;

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

/** The table of the plugins that come with the server. */
const table = pathToFileURL(createRequire(import.meta.url).resolve('#plugins/deployments.ts')).href;
const { bundled } = (await import(table)) as { readonly bundled: Readonly<Record<Deployment, readonly string[]>> };
const loadedByPath = new Map<string, Plugin>();
for (const name of new Set(Object.values(bundled).flat().filter(isPath))) {
  // No check of names: logs and clients know these for longer than there have been rules for them.
  loadedByPath.set(name, (await exportOf({ name, from: table, by: 'the table of deployments' })) as Plugin);
}

/** The plugins that come with the server. */
export const bundledPlugins: readonly Plugin[] = [...loadedByPath.values()];

/** The plugins of a deployment, and names of namespaces inside the server, in the order of the index. */
export function pluginsIn(deployment: Deployment): readonly (Plugin | string)[] {
  return bundled[deployment].map((name) => loadedByPath.get(name) ?? name);
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

async function load(names: readonly string[]): Promise<readonly Plugin[]> {
  const plugins: Plugin[] = [];
  for (const name of names.filter((one) => one !== '')) {
    const plugin = checked(name, await exportOf({ name, from: here, by: 'PLUGINS' }));
    if (plugins.some((other) => other.name === plugin.name)) {
      throw new UnusablePlugin(`PLUGINS names two plugins that are called ${plugin.name}`);
    }
    plugins.push(plugin);
  }
  return plugins;
}

function isPath(name: string): boolean {
  return /^\.{0,2}\//.test(name);
}

interface Named {
  /** A package, or a path. */
  readonly name: string;
  /** The file or folder from which paths lead. */
  readonly from: string;
  /** What names it. */
  readonly by: string;
}

/** The export `plugin` of a package or file. */
async function exportOf({ name, from, by }: Named): Promise<unknown> {
  let exported: { readonly plugin?: unknown };
  try {
    exported = await import(isPath(name) ? pathToFileURL(createRequire(from).resolve(name)).href : name);
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split('\n');
    throw new UnusablePlugin(
      `${by} names ${name}, which cannot be loaded: ${reason}${isPath(name) && !isAbsolute(name) ? `; paths begin in ${fileURLToPath(new URL('.', from))}` : ''}`,
      { cause: error },
    );
  }
  if (exported.plugin === undefined)
    throw new UnusablePlugin(`${by} names ${name}, which does not export a \`plugin\``);
  return exported.plugin;
}

function checked(name: string, found: unknown): Plugin {
  const read = pluginShape(bundledNames).safeParse(found);
  if (read.success) return found as Plugin;
  const faults = read.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${z.core.toDotPath(path)}: ${message}`,
  );
  throw new UnusablePlugin(`PLUGINS names ${name}, which is not a plugin for this server: ${faults.join('; ')}`);
}
