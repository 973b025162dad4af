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

function ownTutorials({ model, plainText }: PluginCall<PluginReader>) {
  const tagged = model.published({ kind: 'post', term: { taxonomy: 'post_tag', slug: 'tutorial' }, limit: max });
  return tagged.flatMap(({ id, slug }) => {
    const text = plainText(id);
    return text === undefined ? [] : { id: slug, title: text.title, duration: readingTime(text.content) };
  });
}

/** `m:ss`. */
function readingTime(text: string): string {
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  const seconds = Math.round((words / pace) * 60);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
