import { prose } from '../data/prose.ts';
import { pick, pickSome, seeded } from '../data/random.ts';
import { asAdmin, categoryIds, tagIds } from '../data/site.ts';
import { vocabulary } from '../data/words.ts';
import type { DataSet } from '../data.ts';
import type { LoadRequest } from '../load/types.ts';
import { batch, item, media, posts } from './paths.ts';

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

const longText = 20_000;
const perBatch = 10;

/** Requests that create a post of 20 kB, and batches of ten posts of 2 kB. `keyed`: each with an `Idempotency-Key` of its own. */
export function largeWrites(data: DataSet, { keyed }: { readonly keyed: boolean }) {
  const made = creations(data).map(({ body = '' }) => JSON.parse(body) as { content: string });
  const headers = keyed ? { ...asAdmin, 'idempotency-key': `bench-${data.seed}-{n}` } : asAdmin;
  const toLength = (content: string) => content.repeat(Math.ceil(longText / content.length)).slice(0, longText);
  const post = (body: unknown, path: string): LoadRequest => ({
    method: 'POST',
    path,
    headers,
    body: JSON.stringify(body),
  });
  const batches = Array.from({ length: made.length / perBatch }, (_, i) =>
    made.slice(i * perBatch, (i + 1) * perBatch),
  );
  return {
    posts: made.map((one) => post({ ...one, content: toLength(one.content) }, posts)),
    batches: batches.map((all) => post({ requests: all.map((body) => ({ path: '/cms/v2/posts', body })) }, batch)),
  };
}

/** Creates, changes, posts of 20 kB and batches with and without a key, and uploads: in a hundred 40, 40, 5 each, and 10. */
export function mixedWrites(data: DataSet): LoadRequest[] {
  const answering = (status: number, requests: readonly LoadRequest[], count: number) =>
    requests.slice(0, count).map((one) => ({ ...one, status }));
  const large = [false, true].map((keyed) => largeWrites(data, { keyed }));
  const headers = {
    ...asAdmin,
    'content-type': 'text/plain',
    'content-disposition': 'attachment; filename="notes-{n}.txt"',
  };
  const upload = { method: 'POST', path: media, headers, body: 'Notes {n}\n'.repeat(100) };
  return [
    ...answering(201, creations(data), 80),
    ...answering(200, changes(data), 80),
    ...large.flatMap(({ posts, batches }) => [...answering(201, posts, 5), ...answering(207, batches, 5)]),
    ...answering(201, Array(20).fill(upload), 20),
  ];
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
