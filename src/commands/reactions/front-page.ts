import type { EntryEvent } from '#domain/entry/events.ts';
import { entryStream } from '#domain/entry/state.ts';
import { changeSettings } from '../settings.ts';
import type { AnyReaction } from './types.ts';

/** The settings no longer name a page that is trashed or deleted: the list of posts is shown instead. */
export const forgetFrontPage: AnyReaction = (session, { stream, events }) => {
  const isGone = (events as readonly EntryEvent[]).some(
    ({ type }) => type === 'EntryTrashed' || type === 'EntryDeleted',
  );
  if (!isGone) return null;
  const { pageOnFront, pageForPosts } = session.site();
  const isFrontGone = pageOnFront !== 0 && stream === entryStream(pageOnFront);
  const isListGone = pageForPosts !== 0 && stream === entryStream(pageForPosts);
  if (!isFrontGone && !isListGone) return null;
  return () => {
    changeSettings(session, {
      ...(isFrontGone ? { showOnFront: 'posts', pageOnFront: 0 } : {}),
      ...(isListGone ? { pageForPosts: 0 } : {}),
    });
  };
};
