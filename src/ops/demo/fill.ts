import { addUser } from '#commands/users.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { Role } from '#domain/user/roles.ts';
import { buildApp } from '#http/app.ts';
import { sourceOf } from '#http/feed/source.ts';
import { filesOf, hostOf } from '#http/host.ts';
import { allRoutes } from '#http/tables/all.ts';
import { type Node, openNode } from '#node/node.ts';
import type { Config } from '../../config.ts';
import type { StartProgress } from '../progress.ts';
import { paint } from './png.ts';
import { contentOf, sentence, subjects, titleOf } from './words.ts';

export interface Demo {
  readonly posts: number;
  readonly position: number;
  readonly people: readonly Person[];
}

export interface DemoOptions {
  readonly posts: number;
  readonly progress: StartProgress;
}

interface Person {
  readonly login: string;
  readonly role: Role;
  readonly password: string;
}

const cast: readonly (readonly [login: string, role: Role, name: string])[] = [
  ['hilda', 'administrator', 'Hilda of Whitby'],
  ['alcuin', 'editor', 'Alcuin'],
  ['hroswitha', 'editor', 'Hroswitha'],
  ['bede', 'author', 'Bede'],
  ['christine', 'author', 'Christine'],
  ['isidore', 'author', 'Isidore'],
  ['aldhelm', 'contributor', 'Aldhelm'],
  ['reader', 'subscriber', 'A reader'],
];
const maxPictures = 12;
const day = 24 * 60 * 60 * 1000;
/** Milliseconds from the first post to now. */
const span = 364 * day;

/** Writes a year of history into an empty data directory, through the REST interface and with a simulated clock. */
export async function fillDemo(config: Config, { posts, progress }: DemoOptions): Promise<Demo> {
  const end = Date.now();
  const pictures = Math.min(maxPictures, Math.ceil(posts / 15));
  let now = end - span - day;
  const clock = () => now;
  const node = await openNode(config, { clock });
  const shown = progress({ name: 'writing posts', total: posts, unit: 'posts' });
  const app = appOf(node, config, clock);
  try {
    const people = await peopleOf(node);
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const ask = asker(address, people);
    const categories = await Promise.all(subjects.map((name) => ask('alcuin', 'categories', { name })));
    const images = await Promise.all(
      Array.from({ length: pictures }, (_, i) => upload(address, people, { number: i + 1, hue: (i * 360) / pictures })),
    );
    for (let i = 0; i < posts; i++) {
      now = end - span + Math.round((span * i) / posts);
      const author = cast[1 + (i % 5)]?.[0] ?? '';
      const extra = {
        categories: [categories[i % subjects.length] ?? 1],
        ...(i % 4 === 0 ? { featured_media: images[i % pictures] ?? 0 } : {}),
      };
      const status = isDraft(i) || i % 7 === 6 ? 'draft' : 'publish';
      const id = await ask(author, 'posts', { title: titleOf(i), content: contentOf(i, 0), status, ...extra });
      await live(i, { id, author, ask, wait: (ms) => (now = Math.min(end, now + ms)) });
      await shown.at(i + 1);
    }
    now = end;
    return { posts, position: node.store.reader.position, people };
  } finally {
    shown.end();
    await app.close();
    await node.close();
  }
}

interface Life {
  readonly id: number;
  readonly author: string;
  readonly ask: Ask;
  readonly wait: (ms: number) => void;
}

async function live(i: number, { id, author, ask, wait }: Life): Promise<void> {
  const minute = 60_000;
  wait(5 * minute);
  if (isDraft(i)) return;
  if (i % 7 === 6) await ask(author, `posts/${id}`, { status: 'publish' });
  if (i === 40) await ask('alcuin', `posts/${id}`, { sticky: true });
  for (let edit = 1; edit <= i % 3; edit++) {
    wait(20 * minute);
    await ask(edit === 2 ? 'alcuin' : author, `posts/${id}`, { content: contentOf(i, edit) });
  }
  if (i % 5 === 0) {
    wait(45 * minute);
    await ask(i % 10 === 0 ? 'hroswitha' : 'hilda', 'comments', { post: id, content: sentence(i) });
  }
  if (i % 50 === 49) await ask('hilda', `posts/${id}`, { status: 'draft' });
}

function isDraft(i: number): boolean {
  return i % 12 === 11;
}

function appOf({ store }: Node, config: Config, clock: () => number) {
  return buildApp({
    host: hostOf(store),
    routes: allRoutes({
      clock,
      source: sourceOf(store),
      uploads: store.uploads,
      deployment: config.deployment,
      settings: config.plugins,
    }),
    files: filesOf(store),
    guessLimit: 0,
  });
}

async function peopleOf({ store }: Node): Promise<readonly Person[]> {
  const people: Person[] = [];
  for (const [login, role, name] of cast) {
    const by = { viewer: null, correlationId: 'demo' };
    const { value } = await store.submit(by, (session) => addUser(session, { login, role, name }));
    if (isRefusal(value)) throw new Error(value.message);
    people.push({ login, role, password: value.password });
  }
  return people;
}

/** Creates or changes the item at a path of the content namespace. Returns its id. */
type Ask = (login: string, path: string, body: object) => Promise<number>;

function asker(address: string, people: readonly Person[]): Ask {
  return async (login, path, body) => {
    const headers = { ...credentials(people, login), 'content-type': 'application/json' };
    return idIn(await fetch(at(address, path), { method: 'POST', headers, body: JSON.stringify(body) }));
  };
}

interface Picture {
  readonly number: number;
  /** In degrees. */
  readonly hue: number;
}

async function upload(address: string, people: readonly Person[], { number, hue }: Picture): Promise<number> {
  const headers = {
    ...credentials(people, 'hroswitha'),
    'content-type': 'image/png',
    'content-disposition': `attachment; filename="leaf-${number}.png"`,
  };
  const body = new Uint8Array(paint(hue, { width: 480, height: 320 }));
  return idIn(await fetch(at(address, 'media'), { method: 'POST', headers, body }));
}

function at(address: string, path: string): string {
  return `${address}/?rest_route=/cms/v2/${path}`;
}

async function idIn(answer: Response): Promise<number> {
  const body = await answer.text();
  if (!answer.ok) throw new Error(`the interface refused a part of the demonstration: ${body}`);
  return (JSON.parse(body) as { readonly id: number }).id;
}

function credentials(people: readonly Person[], login: string): { readonly authorization: string } {
  const { password = '' } = people.find((person) => person.login === login) ?? {};
  return { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` };
}
