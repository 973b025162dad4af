import { eraseUser, findAccount } from '#commands/erasure.ts';
import { addUser } from '#commands/users.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { type Role, viewerOf } from '#domain/user/roles.ts';
import type { Node } from '#node/node.ts';
import type { Config } from '../../config.ts';
import { openNode } from '../open-node.ts';
import type { StartProgress } from '../progress.ts';
import { nodeApp } from '../site-app.ts';
import { clientOf, type DemoPerson } from './client.ts';
import { type Life, live, prepareLife, sendMail } from './life.ts';
import { layGround } from './site.ts';

export interface Demo {
  readonly posts: number;
  readonly position: number;
  readonly people: readonly DemoPerson[];
}

export interface DemoOptions {
  readonly posts: number;
  readonly progress: StartProgress;
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
/** Leaves the site after half of the year, and asks to be forgotten. */
const leaver = ['lupus', 'contributor', 'Lupus'] as const;
/** Administrator who orders it. */
const orderer = 'hilda';
const maxPictures = 6;
const day = 24 * 60 * 60 * 1000;
/** Milliseconds from the first post to now. */
const span = 364 * day;

/** Writes a year of history into an empty data directory, through the REST interface and with a simulated clock. */
export async function fillDemo(config: Config, { posts, progress }: DemoOptions): Promise<Demo> {
  const end = Date.now();
  let now = end - span - day;
  const clock = () => now;
  const node = await openNode(config, { clock });
  const shown = progress({ name: 'writing posts', total: posts, unit: 'posts' });
  const app = nodeApp(node, config, { clock, served: { guessLimit: 0, cacheBytes: 0 } });
  try {
    const people = await peopleOf(node);
    const client = clientOf(await app.listen({ host: '127.0.0.1', port: 0 }), people);
    const ground = await layGround(client, Math.min(maxPictures, Math.ceil(posts / 15)));
    const life: Life = { client, ground, posts, end, wait: (ms) => (now = Math.min(end, now + ms)) };
    for (let i = 0; i < posts; i++) {
      now = Math.max(now, end - span + Math.round((span * i) / posts));
      await live(i, life);
      if (i % 25 === 10) await sendMail(i, life);
      if (i === Math.floor(posts / 2)) await forget(node);
      await shown.at(i + 1);
    }
    now = end;
    await prepareLife(life);
    return { posts, position: node.store.reader.position, people: people.filter(({ login }) => login !== leaver[0]) };
  } finally {
    shown.end();
    await app.close();
    await node.close();
  }
}

const operator = { viewer: null, correlationId: 'demo' };

async function peopleOf({ store }: Node): Promise<readonly DemoPerson[]> {
  const people: DemoPerson[] = [];
  for (const [login, role, name] of [...cast, leaver]) {
    const email = `${login}@marginalia.example`;
    const { value } = await store.submit(operator, (session) => addUser(session, { login, role, name, email }));
    if (isRefusal(value)) throw new Error(value.message);
    people.push({ login, role, password: value.password });
  }
  return people;
}

async function forget({ store }: Node): Promise<void> {
  const admin = findAccount(store.reader, orderer);
  const order = { by: admin?.id ?? null, reason: 'Asked for by letter, after leaving' };
  const context = { ...operator, viewer: admin === undefined ? null : viewerOf(admin) };
  const { value } = await store.submit(context, (session) => eraseUser(session, leaver[0], order));
  if (typeof value !== 'string') throw new Error(value.message);
  await store.erasing.finish();
}
