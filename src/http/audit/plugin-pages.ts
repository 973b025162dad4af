import { codec } from '#catalogue/events.ts';
import { pluginReader } from '#commands/plugin-model.ts';
import { html } from '#text/html.ts';
import { loadedPlugins } from '../../plugin/loaded.ts';
import type { PluginPage } from '../../plugin/pages.ts';
import type { Sheet } from './sheet.ts';
import type { AuditCall } from './store.ts';
import { fullTime } from './times.ts';

export const pluginPages: readonly PluginPage[] = loadedPlugins.flatMap(({ pages }) => pages);

export function pluginSheet({ title, show }: PluginPage, { store: { reader, log } }: AuditCall): Sheet {
  const zone = reader.site().timezone;
  const main = show({
    model: pluginReader(reader),
    time: (at) => fullTime(at, zone),
    latest: ({ stream }, limit) =>
      [...log.read({ stream, direction: 'backwards', limit })].map((stored) => ({
        at: stored.at,
        event: codec.decode(stored) as never,
      })),
  });
  return { title, depth: 0, main: html`${main}` };
}
