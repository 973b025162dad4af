import { loadedPlugins } from '#plugin/loaded.ts';
import type { Client } from './client.ts';
import type { Groundwork } from './site.ts';
import {
  at,
  demoComments,
  demoContent,
  demoTitle,
  demoWriters,
  firstTitleOf,
  imageBlock,
  paragraph,
  placeNamed,
  subjectOf,
} from './words.ts';

export interface Life {
  readonly client: Client;
  readonly ground: Groundwork;
  /** How many posts there will be. */
  readonly posts: number;
  /** Now, in milliseconds since 1970. */
  readonly end: number;
  /** Lets time pass, in milliseconds. */
  readonly wait: (ms: number) => void;
}

const authors = ['alcuin', 'hroswitha', 'bede', 'christine', 'isidore'] as const;
const minute = 60_000;
const hour = 60 * minute;

/** Writes a post, and what becomes of it. */
export async function live(i: number, life: Life): Promise<void> {
  const { client, wait } = life;
  const author = at(authors, i);
  const beginsAsDraft = i % 7 === 6;
  const isRetitled = i % 6 === 3;
  const image = i % 3 === 1 ? pictureOf(i + 1, life) : '';
  const { id } = await client.send(author, 'posts', {
    title: isRetitled ? firstTitleOf(i) : demoTitle(i),
    content: demoContent(i, 0, image),
    status: staysDraft(i) || beginsAsDraft ? 'draft' : statusOf(i),
    ...classesOf(i, life),
    ...(i % 20 === 13 && !isSticky(i, life) ? { password: 'vellum' } : {}),
  });
  const change = (login: string, fields: object) => client.send(login, `posts/${id}`, fields);
  wait(5 * minute);
  if (staysDraft(i)) return;
  if (beginsAsDraft) await change(author, { status: 'publish' });
  if (isSticky(i, life)) await change('alcuin', { sticky: true });
  for (let edits = 1; edits <= i % 3; edits++) {
    wait(20 * minute);
    await change(edits === 2 ? 'alcuin' : author, { content: demoContent(i, edits, image) });
  }
  if (isRetitled) {
    wait(10 * minute);
    await change(i % 12 === 3 ? 'hroswitha' : author, { title: demoTitle(i) });
  }
  if (i % 30 === 8) await restore(id, life);
  if (i % 3 === 0) await discuss(i, id, life);
  if (i % 6 === 2 || i % 6 === 5) await count(i, life);
  if (i % 50 === 29) await change('hilda', { status: 'draft' });
  if (i % 60 === 14) {
    wait(2 * hour);
    await client.remove('alcuin', `posts/${id}`);
  }
}

/** Posts that wait: for their hour, for a review, for their author. */
export async function prepareLife({ client: { send }, posts, end, ground }: Life): Promise<void> {
  for (let n = 0; n < 4; n++) {
    const i = posts + n;
    const date = new Date(end + (n + 1) * 40 * hour).toISOString().slice(0, 19);
    const fields = { title: demoTitle(i), content: demoContent(i, 0), ...classesOf(i, { ground }) };
    await send(at(authors, n), 'posts', { ...fields, status: 'future', date_gmt: date });
  }
  const content = paragraph('A first attempt. Could somebody check the shelfmarks?');
  await send('aldhelm', 'posts', { title: 'Riddles in the margin', content, status: 'pending' });
}

/** A message by the contact form. */
export async function sendMail(i: number, { client, ground }: Life): Promise<void> {
  const { name, email, subject, message } = at(demoWriters, Math.floor(i / 25));
  await client.send('', 'contact-forms/v1/messages', { form_id: ground.contact, name, email, subject, message });
}

/** A sticky post cannot have a password. */
function isSticky(i: number, { posts }: Pick<Life, 'posts'>): boolean {
  return i === Math.floor(posts * 0.9);
}

function staysDraft(i: number): boolean {
  return i % 24 === 23;
}

function statusOf(i: number): 'publish' | 'private' {
  return i % 40 === 21 ? 'private' : 'publish';
}

function classesOf(i: number, { ground }: Pick<Life, 'ground'>): object {
  const subject = subjectOf(i);
  const category = ground.categories[(i + Math.floor(i / 12)) % ground.categories.length];
  const picture = i % 5 === 4 ? undefined : ground.pictures[i % Math.max(1, ground.pictures.length)];
  return {
    categories: [category],
    tags: subject.tags.slice(0, 1 + (i % 2)).map((tag) => ground.tags.get(tag)),
    featured_media: picture?.id ?? 0,
    ...(i % 6 === 0 ? { excerpt: `${subject.facts[0]} A note on ${subject.one} from ${placeNamed(i).name}.` } : {}),
  };
}

function pictureOf(i: number, { ground: { pictures } }: Life): string {
  const picture = pictures[i % Math.max(1, pictures.length)];
  return picture === undefined ? '' : imageBlock(picture, picture.alt);
}

/** Takes an edit back. */
async function restore(id: number, { client, wait }: Life): Promise<void> {
  wait(hour);
  const revisions = (await client.read('hilda', `posts/${id}/revisions`)) as readonly { readonly id: number }[];
  const last = revisions.at(-1);
  if (last !== undefined) await client.send('hilda', `posts/${id}/revisions/${last.id}/restore`, {});
}

async function discuss(i: number, post: number, { client, wait, posts }: Life): Promise<void> {
  if (i % 20 === 13 || statusOf(i) === 'private') return;
  wait(45 * minute);
  const said = { post, content: at(demoComments, i / 3) };
  const { name, email } = at(demoWriters, i / 3);
  // Visitors write through a moderator here, so that what waits has the names of visitors.
  const visitor = {
    author_name: name,
    author_email: email,
    status: i % 9 === 0 || i > posts - 12 ? 'hold' : 'approved',
  };
  const login = i % 6 === 0 && i < posts / 2 ? 'lupus' : i % 2 === 0 ? 'reader' : 'hilda';
  const { id } = await client.send(login, 'comments', login === 'hilda' ? { ...said, ...visitor } : said);
  if (i % 9 === 3 || login === 'lupus') {
    wait(30 * minute);
    await client.send('alcuin', `comments/${id}`, { status: 'approved' });
    if (i % 9 === 3)
      await client.send('christine', 'comments', {
        post,
        parent: id,
        content: 'Thank you for asking. I shall look it up.',
      });
  }
  if (i % 45 === 27) await client.send('alcuin', `comments/${id}`, { status: 'spam' });
}

/** What clients report of a day. */
async function count(i: number, { client }: Life): Promise<void> {
  const about = { page: demoTitle(i), place: placeNamed(i).name };
  for (const { path, body } of loadedPlugins.flatMap(({ demo }) => demo?.(i, about) ?? []))
    await client.send('hilda', path, body);
}
