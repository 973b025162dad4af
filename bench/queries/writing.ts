import { prose } from '../data/prose.ts';
import { pick, pickSome, seeded } from '../data/random.ts';
import { asAdmin, categoryIds, tagIds } from '../data/site.ts';
import { vocabulary } from '../data/words.ts';
import type { DataSet } from '../data.ts';
import type { LoadRequest } from '../load/types.ts';
import { item, posts } from './paths.ts';

const howMany = 200;

/** Requests that create a published post of about 2 KB each; `{n}` makes titles, and so slugs, unique. */
export function creations({ seed }: DataSet): LoadRequest[] {
  const random = seeded(seed, 30);
  const texts = prose(vocabulary(seed));
  return Array.from({ length: howMany }, () => {
    const body = {
      title: `${texts.title(random)} {n}`,
      content: texts.content(random),
      status: 'publish',
      categories: pickSome(random, categoryIds, 2),
      tags: pickSome(random, tagIds, 3),
    };
    return { method: 'POST', path: posts, headers: asAdmin, body: JSON.stringify(body) };
  });
}

/** Requests that change the content of a post, each time to a different one. */
export function changes({ seed, ids }: DataSet): LoadRequest[] {
  const random = seeded(seed, 31);
  const texts = prose(vocabulary(seed));
  const contents = Array.from({ length: howMany }, () => texts.content(random));
  return pickSome(random, ids, 5000).map((id) => {
    const body = { content: `${pick(random, contents)}\n\n{n}` };
    return { method: 'PUT', path: item(id), headers: asAdmin, body: JSON.stringify(body) };
  });
}
