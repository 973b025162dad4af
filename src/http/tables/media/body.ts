import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { captionWork } from '#site/items/item.ts';
import { workAhead } from '#text/suspended.ts';
import { idFrom, oncePerRequest } from '../../engine/call.ts';
import type { Call } from '../../engine/types.ts';
import { apply, filteredMarkup, filteredTitle, storedMarkup, text, withoutAbsent } from '../entries/body.ts';

export const mediaTexts = oncePerRequest(({ sent, viewer }) => {
  const trusted = may(viewer, 'unfiltered_html');
  return withoutAbsent({
    title: apply(text(sent('title'), true), trusted ? undefined : filteredTitle),
    caption: apply(text(sent('caption')), trusted ? undefined : filteredMarkup),
    description: apply(text(sent('description')), storedMarkup(viewer)),
  });
});

/** Filters the texts of a write, and renders what the item will show. */
export function prepareMedia(call: Call<Model>): void {
  const { title, caption, description } = {
    ...none,
    ...call.model.media(idFrom(call.params['id'])),
    ...mediaTexts(call),
  };
  workAhead([
    { job: 'title', texts: [title] },
    { job: 'content', texts: [description, ''] },
    captionWork(caption, description),
  ]);
}

const none = { title: '', caption: '', description: '' };
