import { may } from '#domain/user/roles.ts';
import { oncePerRequest } from '../../engine/once.ts';
import { apply, filterMarkup, filterTitle, given, storedMarkup, text } from '../entries/body.ts';

export const mediaTexts = oncePerRequest(({ sent, viewer }) => {
  const trusted = may(viewer, 'unfiltered_html');
  return given({
    title: apply(text(sent('title'), true), trusted ? undefined : filterTitle),
    caption: apply(text(sent('caption')), trusted ? undefined : filterMarkup),
    description: apply(text(sent('description')), storedMarkup(viewer)),
  });
});
