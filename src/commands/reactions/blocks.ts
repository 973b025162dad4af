import type { EntryEvent } from '#domain/entry/events.ts';
import type { MediaEvent } from '#domain/media/events.ts';
import { dropRenditions, renditions } from '#domain/plugins/renditions/area.ts';
import { placeKey, type StylePlace, saveStyles, themeStyles } from '#domain/plugins/theme-styles/area.ts';
import { stageIn } from '../plugins.ts';
import type { Session } from '../session.ts';
import type { AnyReaction } from './types.ts';

export const forgetBlocks: AnyReaction = (session, { events }) => {
  const known = events as readonly (EntryEvent | MediaEvent)[];
  const dropped = known.flatMap((event) => {
    if (event.type === 'EntryDeleted') return () => dropStyles(session, event.data.id);
    return event.type === 'MediaDeleted' ? () => dropCuts(session, event.data.id) : [];
  });
  return dropped.length === 0 ? null : () => dropped.forEach((drop) => void drop());
};

function dropStyles(session: Session, post: number): void {
  const place: StylePlace = { scope: 'post', post };
  stageIn(session, themeStyles, saveStyles(session.plugin(themeStyles, placeKey(place)), place, []));
}

function dropCuts(session: Session, media: number): void {
  stageIn(session, renditions, dropRenditions(session.plugin(renditions, String(media)), media));
}
