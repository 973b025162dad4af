import { type PluginCall, type PluginReader, reply } from 'palimpsest/plugin';
import { firstWordsOf } from './fields.ts';
import { maxExcerpt, postsQuery } from './posts-query.ts';

type Call = PluginCall<PluginReader>;

const usualWords = 55;
const sizes = ['full', 'thumbnail', 'medium', 'large'] as const;

export function listPosts(call: Call) {
  const { ids } = call.model.find(postsQuery(call));
  const words = maxExcerpt.of(call) ?? usualWords;
  return reply(ids.filter(call.mayRead).flatMap((id) => shown(id, words, call)));
}

function shown(id: number, words: number, call: Call) {
  const { model, view, mayEdit } = call;
  const [entry, seen] = [model.entry(id), view.entry(id)];
  if (entry === undefined || seen === undefined) return [];
  const { content = '', excerpt = '' } = model.texts(id) ?? {};
  const locked = entry.isProtected && !mayEdit(id);
  return {
    ID: id,
    post_author: String(entry.author),
    post_date: spaced(entry.date),
    post_date_gmt: entry.dateGmt === null ? noDate : spaced(entry.dateGmt),
    post_content: locked ? '' : content,
    post_title: entry.title,
    post_excerpt: locked ? '' : excerpt,
    post_status: entry.status,
    comment_status: entry.commentStatus,
    ping_status: entry.pingStatus,
    post_name: entry.slug,
    post_modified: spaced(entry.modified),
    post_modified_gmt: spaced(entry.modifiedGmt),
    post_parent: entry.parent,
    guid: seen.guid,
    menu_order: entry.menuOrder,
    post_type: entry.kind,
    post_mime_type: '',
    comment_count: String(seen.comments),
    post_excerpt_builder: locked ? '' : firstWordsOf(seen.summary(), words),
    comments_num: seen.commentsInWords,
    author_info: {
      name: model.user(entry.author)?.displayName ?? '',
      url: view.user(entry.author)?.address ?? '',
    },
    category_list: seen.categories.markup,
    featured_image_urls: imagesOf(entry.image, call),
  };
}

function imagesOf(id: number, { view }: Call): Record<string, unknown> {
  return Object.fromEntries(
    sizes.map((size) => {
      const picture = view.image(id, size);
      return [size, picture === null ? '' : [picture.url, picture.width, picture.height, picture.isSmaller]];
    }),
  );
}

const noDate = '0000-00-00 00:00:00';

function spaced(time: string): string {
  return time.replace('T', ' ');
}
