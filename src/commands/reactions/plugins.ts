import { loadedPlugins } from '#plugin/loaded.ts';
import type { PluginReaction, StagedEvents } from '#plugin/reactions.ts';
import { inPluginSession, pluginReader } from '../plugin-model.ts';
import type { AnyReaction } from './types.ts';

/** The reactions of plugins, in the order of the plugins. */
export const pluginReactions: readonly AnyReaction[] = loadedPlugins.flatMap(({ reactions }) => reactions.map(adapted));

function adapted({ to, react }: PluginReaction): AnyReaction {
  return (session, staged) => {
    if (!staged.events.some(({ type }) => to.includes(type))) return null;
    const after = react(staged as StagedEvents, pluginReader(session));
    return after === null ? null : () => inPluginSession(session, after);
  };
}
