import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { guid, userLink } from '#site/addresses/items.ts';
import { categoryLinks, entrySummary, firstWords, pictureOf, type Seeing } from '#site/rendering/fragments.ts';
import { canEditEntry, canReadEntry } from '#site/rights.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { rawAnswer } from '../kit/envelopes.ts';
import { maxExcerpt, postsQuery } from './posts-query.ts';

const usualWords = 55;
const sizes = ['full', 'thumbnail', 'medium', 'large'] as const;

export function listPosts(call: Call<Model>): Answer {
  const { model, viewer } = call;
  const rows = model
    .present()
    .find(postsQuery(call))
    .ids.flatMap((id) => model.entry(id) ?? []);
  const words = maxExcerpt.of(call) ?? usualWords;
  return rawAnswer(rows.filter((row) => canReadEntry(viewer, row)).map((row) => shown(row, words, call)));
}

function shown(row: EntryRow, words: number, { model, viewer }: Call<Model>): Record<string, unknown> {
  const { content = '', excerpt = '' } = model.texts(row.id) ?? {};
  const locked = row.password !== '' && !canEditEntry(viewer, row);
  const author = model.user(row.author);
  return {
    ID: row.id,
    post_author: String(row.author),
    post_date: spaced(row.date),
    post_date_gmt: row.dateGmt === null ? noDate : spaced(row.dateGmt),
    post_content: locked ? '' : content,
    post_title: row.title,
    post_excerpt: locked ? '' : excerpt,
    post_status: row.status,
    comment_status: row.commentStatus,
    ping_status: row.pingStatus,
    post_name: row.slug,
    post_modified: spaced(row.modified),
    post_modified_gmt: spaced(row.modifiedGmt),
    post_parent: row.parent,
    guid: guid(row, model),
    menu_order: row.menuOrder,
    post_type: row.kind,
    post_mime_type: '',
    comment_count: '0',
    post_excerpt_builder: locked ? '' : firstWords(entrySummary(row, model), words),
    comments_num: '0 comments',
    author_info: {
      name: author?.displayName ?? '',
      url: author === undefined ? '' : userLink(author, model.site().url),
    },
    category_list: categoryLinks(row, model).markup,
    featured_image_urls: imagesOf(row.featuredMedia, { model, viewer }),
  };
}

function imagesOf(id: number, seeing: Seeing): Record<string, unknown> {
  return Object.fromEntries(
    sizes.map((size) => {
      const picture = pictureOf(id, size, seeing);
      return [size, picture === null ? '' : [picture.url, picture.width, picture.height, picture.isSmaller]];
    }),
  );
}

const noDate = '0000-00-00 00:00:00';

function spaced(time: string): string {
  return time.replace('T', ' ');
}
