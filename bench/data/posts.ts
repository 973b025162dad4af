import type { EntryCreated } from '#domain/entry/events.ts';
import { type EntryStatus, type Format, formats } from '#domain/entry/vocabulary.ts';
import type { EventOf } from '#domain/kernel/event.ts';
import type { Prose } from './prose.ts';
import { below, pickSome, type Random, seeded, zipf } from './random.ts';
import { authorIds, categoryIds, tagIds } from './site.ts';

export type Post = EventOf<typeof EntryCreated>['data'];

export interface PostSource {
  /** The post with this id, created at `at` (milliseconds since 1970). Slugs are unique. */
  create(id: number, at: number): Post;
  /** The texts after a later save; the title stays. */
  revise(id: number, save: number): Pick<Post, 'title' | 'content' | 'excerpt' | 'footnotes'>;
  /** New categories and tags. */
  classify(random: Random): Pick<Post, 'categories' | 'tags'>;
}

const day = 86_400_000;
/** One sticky post among this number. */
const stickyEach = 4000;
const farAway = Date.UTC(2090, 0, 1);

export function postSource(seed: number, texts: Prose): PostSource {
  const slugs = new Set<string>();
  const category = zipf(categoryIds.length);
  const tag = zipf(tagIds.length);
  const title = (id: number) => texts.title(seeded(seed, 2, id));

  function classify(random: Random): Pick<Post, 'categories' | 'tags'> {
    const draw = (rank: (source: Random) => number, ids: readonly number[], count: number) => [
      ...new Set(Array.from({ length: count }, () => ids[rank(random)] ?? 0)),
    ];
    return {
      categories: draw(category, categoryIds, 1 + below(random, 3)),
      tags: draw(tag, tagIds, 1 + below(random, 5)),
    };
  }

  return {
    classify,
    revise: (id, save) => ({
      title: title(id),
      content: texts.content(seeded(seed, 3, id, save)),
      excerpt: '',
      footnotes: '',
    }),
    create(id, at) {
      const random = seeded(seed, 4, id);
      const status = drawStatus(random);
      const finished = status !== 'draft' && status !== 'pending';
      const date = timeText(dateOf(random, status, at));
      const isPublic = status === 'publish';
      const password = isPublic && random() < 0.01 ? 'open sesame' : '';
      return {
        id,
        kind: 'post',
        status,
        slug: finished ? newSlug(title(id), slugs) : '',
        author: pickSome(random, authorIds, 1)[0] ?? 1,
        date,
        dateGmt: finished ? date : null,
        modified: date,
        modifiedGmt: date,
        title: title(id),
        content: texts.content(random),
        excerpt: random() < 0.2 ? texts.excerpt(random) : '',
        footnotes: '',
        password,
        commentStatus: 'open',
        pingStatus: 'open',
        format: drawFormat(random),
        sticky: isPublic && password === '' && id % stickyEach === 7,
        template: '',
        parent: 0,
        menuOrder: 0,
        featuredMedia: 0,
        ...classify(random),
      };
    },
  };
}

/** Formats a time as in events: `YYYY-MM-DDTHH:MM:SS`. */
export function timeText(at: number): string {
  return new Date(at).toISOString().slice(0, 19);
}

function drawStatus(random: Random): EntryStatus {
  const share = random();
  if (share < 0.9) return 'publish';
  if (share < 0.95) return 'draft';
  if (share < 0.98) return 'private';
  return share < 0.99 ? 'pending' : 'future';
}

function drawFormat(random: Random): Format {
  return random() < 0.85 ? 'standard' : (formats[1 + below(random, formats.length - 1)] ?? 'standard');
}

// A third is backdated, so that the order by date differs from the order of creation.
function dateOf(random: Random, status: EntryStatus, at: number): number {
  if (status === 'future') return farAway + below(random, 3650) * day;
  return status === 'publish' && random() < 0.33 ? at - below(random, 400 * day) : at;
}

function newSlug(title: string, taken: Set<string>): string {
  const plain = title.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 's').replaceAll('ł', 'l').toLowerCase();
  const base = plain.split(' ').slice(0, 5).map(encodeURIComponent).join('-').toLowerCase();
  let slug = base;
  for (let n = 2; taken.has(slug); n++) slug = `${base}-${n}`;
  taken.add(slug);
  return slug;
}
