import type { EntryEvent } from '#domain/entry/events.ts';
import type { MediaEvent } from '#domain/media/events.ts';
import { cacheAssets, forgetAssets } from '#domain/plugins/cache-assets/area.ts';
import { cacheCloud } from '#domain/plugins/cache-cloud/area.ts';
import { expectAlias } from '#domain/plugins/cache-cloud/decide.ts';
import { cacheImages } from '#domain/plugins/cache-images/area.ts';
import { forgetImage } from '#domain/plugins/cache-images/decide.ts';
import type { SiteEvent } from '#domain/site/events.ts';
import { siteStream } from '#domain/site/state.ts';
import { stageIn } from '../plugins.ts';
import type { AnyReaction } from './types.ts';

export const forgetDeleted: AnyReaction = (session, { events }) => {
  const deleted = (events as readonly (EntryEvent | MediaEvent)[]).flatMap((event) =>
    event.type === 'EntryDeleted' || event.type === 'MediaDeleted' ? event : [],
  );
  if (deleted.length === 0) return null;
  return () => {
    for (const { type, data } of deleted) {
      const key = String(data.id);
      if (type === 'EntryDeleted') {
        stageIn(session, cacheAssets, forgetAssets(data.id, session.plugin(cacheAssets, key)));
      } else stageIn(session, cacheImages, forgetImage(data.id, session.plugin(cacheImages, key)));
    }
  };
};

export const expectAddress: AnyReaction = (session, { stream, events }) => {
  if (stream !== siteStream) return null;
  const moved = (events as readonly SiteEvent[]).findLast((event) => event.type === 'SiteAddressChanged');
  return moved === undefined ? null : () => void stageIn(session, cacheCloud, expectAlias(moved.data.url));
};
