import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/model.ts';
import { isGiven } from '#text/render.ts';
import { type TextWork, workAhead } from '#text/suspended.ts';
import { oncePerRequest } from '../../engine/once.ts';
import type { Call } from '../../engine/types.ts';
import { apply, filterMarkup, filterTitle, given, storedMarkup, text } from '../entries/body.ts';
import { numberOf } from '../entries/find.ts';

export const mediaTexts = oncePerRequest(({ sent, viewer }) => {
  const trusted = may(viewer, 'unfiltered_html');
  return given({
    title: apply(text(sent('title'), true), trusted ? undefined : filterTitle),
    caption: apply(text(sent('caption')), trusted ? undefined : filterMarkup),
    description: apply(text(sent('description')), storedMarkup(viewer)),
  });
});

/** Filters the texts of a write, and renders what the item will show. */
export function prepareMedia(call: Call<Model>): void {
  const { title, caption, description } = {
    ...none,
    ...call.model.media(numberOf(call.params['id'])),
    ...mediaTexts(call),
  };
  workAhead([
    { job: 'title', texts: [title] },
    { job: 'content', texts: [description, ''] },
    captionWork(caption, description),
  ]);
}

/** `text`: what the caption is made of if none is given. */
export function captionWork(caption: string, text: string): TextWork {
  return { job: 'excerpt', texts: isGiven(caption) ? [caption, ''] : ['', text] };
}

const none = { title: '', caption: '', description: '' };
