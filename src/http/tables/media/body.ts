import { filterMarkup, filterTitle } from '#blocks/filter.ts';
import type { StoredFile } from '#domain/media/commands.ts';
import { photo as photoSchema } from '#domain/media/photo.ts';
import { recording as recordingSchema } from '#domain/media/recording.ts';
import { plainLine } from '#domain/term/text.ts';
import { may, type Viewer } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { captionWork } from '#site/items/item.ts';
import type { PreparedTexts, TextWork } from '#text/prepared-texts.ts';
import { slugify } from '#text/slug.ts';
import { idFrom, oncePerRequest } from '../../engine/call.ts';
import type { Call } from '../../engine/types.ts';
import { apply, filteredMarkup, filteredTitle, markupJob, storedMarkup, text, withoutAbsent } from '../entries/body.ts';

export const mediaTexts = oncePerRequest(({ sent, viewer }) => {
  const trusted = may(viewer, 'unfiltered_html');
  return withoutAbsent({
    title: apply(text(sent('title'), true), trusted ? undefined : filteredTitle),
    caption: apply(text(sent('caption')), trusted ? undefined : filteredMarkup),
    description: apply(text(sent('description')), storedMarkup(viewer)),
  });
});

/** A stored file with the texts in it filtered. Those in an image are the default of its own; a number is no title. */
export function withTextsInside(stored: StoredFile, viewer: Viewer): StoredFile {
  return withPhotoTexts(withTags(stored), viewer);
}

function withTags({ recording: given, ...file }: StoredFile): StoredFile {
  const { tags, ...rest } = given ?? {};
  const filtered = Object.entries(tags ?? {}).map(([name, said]) => [name, filterMarkup(said)]);
  const whole = { ...rest, ...(tags === undefined ? {} : { tags: Object.fromEntries(filtered) }) };
  const recording = recordingSchema.safeParse(whole).data;
  return given === undefined || recording === undefined ? file : { ...file, recording };
}

function withPhotoTexts({ photo: given, ...file }: StoredFile, viewer: Viewer): StoredFile {
  const filtered = Object.entries(given ?? {}).map(([name, said]) => [
    name,
    typeof said === 'string' ? filterMarkup(said) : said.map(filterMarkup),
  ]);
  const photo = photoSchema.safeParse(Object.fromEntries(filtered)).data;
  if (given === undefined || photo === undefined) return file;
  const { title = '', caption = '' } = photo;
  const allowed = (may(viewer, 'unfiltered_html') ? title : filterTitle(title)).trim();
  const named = allowed === '' || /^\d+$/.test(slugify(allowed)) ? {} : { title: allowed };
  return { ...file, photo, ...named, caption, altText: plainLine(given.alternative ?? '') };
}

/** Filters the texts of a write, and renders what the item will show, as far as they are long. */
export async function prepareMedia(call: Call<Model>, texts: PreparedTexts): Promise<void> {
  await texts.prepare(filterWorks(call));
  const { title, caption, description } = {
    ...none,
    ...call.model.media(idFrom(call.params['id'])),
    ...texts.during(() => mediaTexts(call)),
  };
  await texts.prepare([
    { job: 'title', texts: [title] },
    { job: 'content', texts: [description, ''] },
    captionWork(caption, description),
  ]);
}

function filterWorks({ sent, viewer }: Call<Model>): readonly TextWork[] {
  const description = text(sent('description'));
  return description === undefined ? [] : [{ job: markupJob(viewer, true), texts: [description] }];
}

const none = { title: '', caption: '', description: '' };
