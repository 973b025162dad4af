import { formatByPattern, html, type PluginCall, type PluginReader } from 'palimpsest/plugin';
import { findListed, type QueryAttributes } from './query.ts';
import { success } from './values.ts';

type Call = PluginCall<PluginReader>;

export function listBlogPosts(call: Call) {
  const attributes = attributesIn(call);
  const { ids, pages } = findListed('post', attributes, call);
  if (pages === 0) return success({ maxNumPages: 0 });
  return success({ maxNumPages: pages, queriedPostsData: ids.flatMap((id) => itemOf(id, attributes, call)) });
}

export function attributesIn({ params }: Call): QueryAttributes {
  return (params['queryAttributes'] ?? {}) as QueryAttributes;
}

/** The image of an entry, in the size that the attributes name. */
export function imageMarkup(
  image: number,
  { imagesProportion = 'full', customImageWidth: width = 0, customImageHeight: height = 0 }: QueryAttributes,
  { view }: Call,
): string {
  return view.image(image, imagesProportion === 'custom' ? { width, height } : imagesProportion)?.element.markup ?? '';
}

const usualLength = 180;

function itemOf(id: number, attributes: QueryAttributes, call: Call) {
  const [entry, shown] = [call.model.entry(id), call.view.entry(id)];
  if (entry === undefined || shown === undefined) return [];
  const { isProtected, date, modified } = entry;
  const author = call.view.user(entry.author);
  const title = isProtected ? `Protected: ${shown.title}`.trim() : shown.title;
  return {
    postID: id,
    blogItemClasses: shown.classes,
    isPasswordRequired: isProtected,
    authorAvatar: author?.picture.markup ?? '',
    authorName: call.model.user(entry.author)?.displayName ?? '',
    authorURL: author?.address ?? '',
    postCategories: shown.categories.markup,
    featuredImage: imageMarkup(entry.image, attributes, call),
    dateLink: shown.address,
    dateBoxed: formatByPattern(date, 'j M'),
    date: formatByPattern(date, 'F j, Y'),
    dateClasses: modified > date ? ['published'] : ['published', 'updated'],
    passwordForm: isProtected ? shown.passwordForm.markup : '',
    excerpt: isProtected ? '' : beginningOf(shown.summary(), attributes.excerptLength ?? usualLength),
    title: html`${title}`.markup,
    permalink: shown.address,
  };
}

/** Shortens a plain text to a number of characters; the last one is an ellipsis if something was cut. */
function beginningOf(text: string, characters: number): string {
  const all = Array.from(text);
  if (all.length <= characters) return text;
  return characters < 1
    ? ''
    : `${all
        .slice(0, characters - 1)
        .join('')
        .trimEnd()}…`;
}
