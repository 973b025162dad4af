import type { PluginCall, PluginReader } from 'palimpsest/plugin';
import { onboardingSettings } from './settings.ts';

/** Words read per minute. */
const pace = 200;
const max = 100;

/** Published posts tagged as tutorials; if there are none, those of the operator. */
export function showTutorials(call: PluginCall<PluginReader>) {
  const { tutorials } = call.settings(onboardingSettings);
  const own = ownTutorials(call);
  const language = String(call.params['locale'] ?? 'en')
    .slice(0, 2)
    .toLowerCase();
  const given = Object.hasOwn(tutorials, language) ? tutorials[language] : tutorials['en'];
  return { data: { tutorials: own.length > 0 ? own : (given ?? []) } };
}

function ownTutorials({ model, view }: PluginCall<PluginReader>) {
  const tag = model.termBySlug('post_tag', 'tutorial');
  const { ids } =
    tag === undefined
      ? { ids: [] }
      : model.find({ kind: 'post', terms: [{ mode: 'any', terms: [tag.id] }], limit: max });
  return ids.flatMap((id) => {
    const [entry, text] = [model.entry(id), view.text(id)];
    if (entry === undefined || text === undefined) return [];
    return { id: entry.slug, title: text.title, duration: readingTime(text.content) };
  });
}

/** `m:ss`. */
function readingTime(text: string): string {
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  const seconds = Math.round((words / pace) * 60);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
