import type { MediaFields } from '#domain/media/commands.ts';
import { plainLine } from '#domain/term/text.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/model.ts';
import { oncePerRequest } from '../../engine/once.ts';
import type { Call } from '../../engine/types.ts';
import { apply, filterMarkup, filterTitle, given, moment, storedMarkup, text } from '../entries/body.ts';

/** Makes a command's fields of what a request sent. The status has no effect: media have but one. */
export function mediaFields(call: Call<Model>): MediaFields {
  const { params, sent } = call;
  const named = <T>(name: string): T | undefined =>
    sent(name) === undefined || sent(name) === null ? undefined : (params[name] as T);
  const cleared = <T>(name: string): T | undefined => (sent(name) === undefined ? undefined : (params[name] as T));
  return given({
    ...mediaTexts(call),
    altText: apply(named<string>('alt_text'), plainLine),
    slug: cleared<string>('slug'),
    date: moment(call),
    author: named<number>('author'),
    commentStatus: named<'open' | 'closed'>('comment_status'),
    pingStatus: named<'open' | 'closed'>('ping_status'),
    parent: named<number>('post'),
    featuredMedia: cleared<number>('featured_media'),
  });
}

/** What is stored of the texts that a request sent. */
export const mediaTexts = oncePerRequest(({ sent, viewer }) => {
  const trusted = may(viewer, 'unfiltered_html');
  return given({
    title: apply(text(sent('title'), true), trusted ? undefined : filterTitle),
    caption: apply(text(sent('caption')), trusted ? undefined : filterMarkup),
    description: apply(text(sent('description')), storedMarkup(viewer)),
  });
});
