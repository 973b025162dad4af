import sharp from 'sharp';
import type { Client } from './client.ts';
import { demoSubjects, imageBlock, paragraph } from './words.ts';

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

/** Inks of the initials, in red, green and blue. */
const inks = [
  [151, 48, 27],
  [38, 74, 122],
  [60, 98, 52],
  [150, 104, 22],
] as const;
const ink = [58, 40, 26] as const;
const line = 40;
const margin = 70;

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
    template: 'contact-form',
    menu_order: 2,
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

/** Paints a PNG picture of a leaf: brown writing on parchment, erased writing across it, a coloured initial. `seed`: which leaf. */
function paint(seed: number, { width, height }: { readonly width: number; readonly height: number }): Promise<Buffer> {
  const pixels = Buffer.alloc(height * width * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.set(pixel(x, y, { seed, width, height }), (y * width + x) * 3);
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

interface Leaf {
  readonly seed: number;
  readonly width: number;
  readonly height: number;
}

function pixel(x: number, y: number, { seed, width, height }: Leaf): readonly number[] {
  const blot = Math.sin(x / 90 + seed) * Math.sin(y / 70 - seed * 2) + Math.sin((x + 2 * y) / 260 + seed);
  const edge = Math.min(x, y, width - x, height - y);
  const light = 5 * blot - 4 * (seed % 4) - Math.max(0, 44 - edge) * 0.9;
  const skin = [230 + light, 212 + light, 176 + light * 1.4].map((value) => Math.round(value / 3) * 3);
  const isBetween = seed % 2 === 1 && Math.abs(x - width / 2) < 24;
  const inside = !isBetween && x > margin && x < width - margin && y > margin && y < height - margin;
  if (!inside) return skin;
  const erased = strokes(y, x, seed + 50) ? mixed(skin, ink, 0.12) : skin;
  const initial = 3 * line;
  if (x < margin + initial && y < margin + initial)
    return decorated(x - margin, y - margin, { seed, size: initial, skin: erased });
  if (y % line === line - 6) return mixed(erased, inks[0], 0.18);
  return strokes(x, y, seed) ? mixed(erased, ink, 0.82) : erased;
}

/** Upright strokes of a pen in lines and words, as in a book hand. */
function strokes(x: number, y: number, seed: number): boolean {
  const row = Math.floor(y / line);
  const word = Math.floor((x + 13 * row) / 64);
  const within = (x + 13 * row) % 64;
  const length = 30 + Math.floor(noise(word, row, seed) * 26);
  if (within > length) return false;
  const stroke = Math.floor(within / 8);
  const kind = noise(word * 9 + stroke, row, seed + 7);
  const [top, foot] = [kind > 0.82 ? 4 : 14, kind < 0.1 ? 38 : 31];
  const height = y % line;
  if (height < top || height > foot) return false;
  const slant = within - stroke * 8 - (height - 20) * 0.08;
  const joins = kind > 0.35 && (Math.abs(height - 15) < 1.5 || Math.abs(height - 30) < 1.5);
  return (slant >= 2 && slant < 5) || joins;
}

interface Field {
  readonly seed: number;
  readonly size: number;
  readonly skin: readonly number[];
}

/** A square with a ring and a diamond in it. */
function decorated(x: number, y: number, { seed, size, skin }: Field): readonly number[] {
  const [u, v] = [(2 * x) / size - 1, (2 * y) / size - 1];
  const colour = inks[seed % inks.length] ?? inks[0];
  const border = Math.max(Math.abs(u), Math.abs(v));
  if (border > 0.92) return skin;
  const radius = Math.hypot(u, v);
  const leaf = Math.sin(6 * Math.atan2(v, u) + seed) * 0.1;
  const filled = border > 0.82 || Math.abs(radius - 0.6 - leaf) < 0.08 || Math.abs(u) + Math.abs(v) < 0.3;
  return filled ? mixed(skin, colour, 0.9) : mixed(skin, colour, 0.22);
}

function mixed(below: readonly number[], above: readonly number[], share: number): readonly number[] {
  return below.map((value, i) => Math.round(value + ((above[i] ?? 0) - value) * share));
}

/** Always the same number from 0 to 1 for the same place. */
function noise(x: number, y: number, seed: number): number {
  const value = Math.sin(x * 12.9898 + y * 78.233 + seed * 37.719) * 43758.5453;
  return value - Math.floor(value);
}
