import { clockStream } from '#domain/clock/events.ts';
import type { EntryEvent } from '#domain/entry/events.ts';
import type { MediaEvent } from '#domain/media/events.ts';
import { cacheAssets, forgetAssets } from '#domain/page-assets/area.ts';
import { dropRenditions, renditions } from '#domain/renditions/area.ts';
import { loadedPlugins } from '#plugin/loaded.ts';
import type { PluginReaction, StagedEvents } from '#plugin/reactions.ts';
import { inPluginSession, pluginReader } from '../plugin-model.ts';
import { stageIn } from '../plugins.ts';
import { forgetFrontPage } from './front-page.ts';
import { addPagesToMenus, beginNavigation, dropItems } from './menus.ts';
import type { AnyReaction } from './types.ts';

const dropAssets: AnyReaction = (session, { events }) => {
  const deleted = (events as readonly EntryEvent[]).flatMap((event) => (event.type === 'EntryDeleted' ? event : []));
  if (deleted.length === 0) return null;
  return () => {
    for (const { data } of deleted) {
      stageIn(session, cacheAssets, forgetAssets(data.id, session.plugin(cacheAssets, String(data.id))));
    }
  };
};

const dropCuts: AnyReaction = (session, { events }) => {
  const deleted = (events as readonly MediaEvent[]).flatMap((event) => (event.type === 'MediaDeleted' ? event : []));
  if (deleted.length === 0) return null;
  return () => {
    for (const { data } of deleted) {
      stageIn(session, renditions, dropRenditions(session.plugin(renditions, String(data.id)), data.id));
    }
  };
};

/** The first commit after a clock was ahead records the clock's time: nothing else in the log shows it reliably. */
const noteClock: AnyReaction = (session, { stream }) => {
  const { clock } = session;
  if (stream === clockStream || clock === session.at || session.hasNow(clockStream, 'ClockFoundBehind')) return null;
  return () => session.stage(clockStream, [{ type: 'ClockFoundBehind', data: { clock } }]);
};

/** The reactions of plugins, in the order of the plugins. */
const pluginReactions: readonly AnyReaction[] = loadedPlugins.flatMap(({ reactions }) => reactions.map(adapted));

/** What follows in one area from events in another. */
export const reactions: readonly AnyReaction[] = [
  dropAssets,
  dropCuts,
  ...pluginReactions,
  noteClock,
  dropItems,
  forgetFrontPage,
  addPagesToMenus,
  beginNavigation,
];

function adapted({ to, react }: PluginReaction): AnyReaction {
  return (session, staged) => {
    if (!staged.events.some(({ type }) => to.includes(type))) return null;
    const after = react(staged as StagedEvents, pluginReader(session));
    return after === null ? null : () => inPluginSession(session, after);
  };
}
