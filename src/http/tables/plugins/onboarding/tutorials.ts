import type { PluginSettings } from '#domain/plugins/settings.ts';
import type { Model } from '#projections/reading/model.ts';
import { plainTitle, publicItem } from '#site/items/item.ts';
import { plain } from '#site/rendering/texts.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { data } from '../kit/envelopes.ts';

/** Words read per minute. */
const pace = 200;
const max = 100;

/** Published posts tagged as tutorials; if there are none, those of the operator. */
export function showTutorials({ model, params }: Call<Model>, { tutorials }: PluginSettings): Answer {
  const own = ownTutorials(model);
  const language = String(params['locale'] ?? 'en')
    .slice(0, 2)
    .toLowerCase();
  const given = Object.hasOwn(tutorials, language) ? tutorials[language] : tutorials['en'];
  return data({ tutorials: own.length > 0 ? own : (given ?? []) });
}

function ownTutorials(model: Model) {
  const tag = model.termBySlug('post_tag', 'tutorial');
  if (tag === undefined) return [];
  const { ids } = model.present().find({
    kind: 'post',
    statuses: [{ status: 'publish' }],
    taxonomies: [{ by: 'term', mode: 'any', terms: [tag.id] }],
    ...{ orderBy: 'date', order: 'desc', offset: 0, limit: max },
  });
  return ids.flatMap((id) => {
    const [row, item] = [model.entry(id), publicItem(id, model)];
    return row === undefined || item === undefined
      ? []
      : { id: row.slug, title: plainTitle(item), duration: readingTime(plain(item.content())) };
  });
}

/** `m:ss`. */
function readingTime(text: string): string {
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  const seconds = Math.round((words / pace) * 60);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
