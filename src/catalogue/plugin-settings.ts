import { z } from 'zod';
import { type PluginSettings, pluginSettings } from '#domain/plugins/settings.ts';
import { bundledPlugins, installedPlugins, loadedPlugins } from '#plugin/loaded.ts';

/** What `PLUGIN_SETTINGS` holds: the settings of the server and of the plugins that come with it, and a member for each installed package. */
export const allPluginSettings = z.strictObject({
  ...pluginSettings.shape,
  ...Object.assign({}, ...bundledPlugins.map(({ settings }) => settings?.shape)),
  ...Object.fromEntries(
    installedPlugins.flatMap(({ name, settings }) => (settings ? [[name, settings.prefault({})]] : [])),
  ),
}) as unknown as typeof pluginSettings;

export const pluginSecrets: readonly string[] = loadedPlugins.flatMap(({ secrets }) => secrets);

export const defaultSettings: PluginSettings = {
  ...allPluginSettings.parse({}),
  secrets: secretsOf({}),
};

/** The secrets of plugins among the given settings. */
export function secretsOf(given: object): PluginSettings['secrets'] {
  const all = given as Readonly<Record<string, string | undefined>>;
  return Object.fromEntries(pluginSecrets.map((name) => [name, all[name] ?? null]));
}
