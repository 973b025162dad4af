import type { Client } from './client.ts';
import { demoSubjects } from './facts.ts';
import { paint } from './leaf.ts';
import { imageBlock, paragraph } from './words.ts';

export interface DemoPicture {
  readonly id: number;
  readonly url: string;
  readonly alt: string;
}

/** What the site has before its first post. */
export interface Groundwork {
  readonly categories: readonly number[];
  readonly tags: ReadonlyMap<string, number>;
  readonly pictures: readonly DemoPicture[];
  /** The page with the contact form. */
  readonly contact: number;
}

const size = { width: 1020, height: 680 };

export async function layGround(client: Client, pictures: number): Promise<Groundwork> {
  const { send } = client;
  const categories: number[] = [];
  const tags = new Map<string, number>();
  for (const { name, many, tags: own } of demoSubjects) {
    const description = `Everything about ${many} and what they tell us.`;
    categories.push((await send('alcuin', 'categories', { name, description })).id);
    for (const tag of own) if (!tags.has(tag)) tags.set(tag, (await send('alcuin', 'tags', { name: tag })).id);
  }
  const painted: DemoPicture[] = [];
  for (let i = 0; i < pictures; i++) painted.push(await hang(client, i));
  return { categories, tags, pictures: painted, contact: await pages(client, categories, painted) };
}

async function hang({ send, upload }: Client, i: number): Promise<DemoPicture> {
  const bytes = new Uint8Array(await paint(i, size));
  const { id, source_url: url = '' } = await upload('hroswitha', `leaf-${i + 1}.png`, bytes);
  const alt = `Leaf ${i + 1}, brown writing on parchment with a coloured initial`;
  await send('hroswitha', `media/${id}`, { title: `Leaf ${i + 1}`, alt_text: alt, caption: 'Drawn by the program.' });
  // Without the origin, so that it also works on another port.
  return { id, url: new URL(url).pathname, alt };
}

/** Pages and the menu. Returns the id of the contact page. */
async function pages(
  { send }: Client,
  categories: readonly number[],
  [first]: readonly DemoPicture[],
): Promise<number> {
  const page = async (title: string, content: string, more: object = {}) =>
    (await send('hilda', 'pages', { title, content, status: 'publish', comment_status: 'closed', ...more })).id;
  const about = await page(
    'About',
    [
      paragraph(
        'Marginalia is a notebook on old books.',
        'We look at what scribes, painters, binders and readers have left on parchment.',
      ),
      first === undefined ? '' : imageBlock(first, first.alt),
      paragraph('The people and the posts of this site are made up; what they say about books is not.'),
    ].join('\n\n'),
    { menu_order: 1 },
  );
  const team = await page('The people who write', paragraph('Hilda, Alcuin, Hroswitha, Bede, Christine and Isidore.'), {
    parent: about,
  });
  const contact = await page('Contact', paragraph('Questions, corrections and photographs are welcome.'), {
    ...{ template: 'contact-form', menu_order: 2 },
  });
  const menu = await send('hilda', 'menus', { name: 'Main menu', locations: ['header'] });
  const items = [
    ...demoSubjects.slice(0, 4).map(({ name }, i) => [name, 'taxonomy', 'category', categories[i]] as const),
    ...(
      [
        ['About', about],
        ['The people', team],
        ['Contact', contact],
      ] as const
    ).map(([title, id]) => [title, 'post_type', 'page', id] as const),
  ];
  for (const [i, [title, type, object, object_id]] of items.entries()) {
    const item = { title, type, object, object_id, menus: menu.id, menu_order: i + 1, status: 'publish' };
    await send('hilda', 'menu-items', item);
  }
  return contact;
}
