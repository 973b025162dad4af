type DemoSubject = (typeof demoSubjects)[number];
type Place = (typeof places)[number];

interface Subject {
  readonly name: string;
  readonly one: string;
  readonly many: string;
  readonly tags: readonly string[];
  readonly facts: readonly string[];
}

const titles: readonly ((subject: DemoSubject, place: string) => string)[] = [
  ({ many }, place) => `Notes on ${many} from ${place}`,
  ({ one }, place) => `What ${one} from ${place} tells us`,
  ({ many }, place) => `Three questions about ${many} from ${place}`,
  ({ one }, place) => `Reading ${one} from ${place}`,
  ({ name }, place) => `${name}: a visit to ${place}`,
];
const headings = ['What is known', 'What remains open', 'At the desk', 'A closer look'] as const;

/** What the posts are about: the categories of the site. */
export const demoSubjects = [
  {
    name: 'Palimpsests',
    one: 'a palimpsest',
    many: 'palimpsests',
    tags: ['parchment', 'ultraviolet light'],
    facts: [
      'A palimpsest is a leaf that was scraped or washed and then written on again.',
      'Parchment was dear, so a scribe in need of leaves took them from a book that nobody read any more.',
      'The lower writing often runs at right angles to the upper one, because the leaves were turned and folded.',
      'Angelo Mai found Cicero’s “De re publica” below a commentary on the Psalms in 1819.',
      'Chemicals that made old writing visible in the nineteenth century have darkened many leaves for good.',
      'Under ultraviolet light parchment glows and ink does not, so that a lost line stands out.',
      'Pictures in many narrow bands of light bring back writing that the eye cannot see.',
      'The Archimedes palimpsest lay for centuries below a book of prayers.',
    ],
  },
  {
    name: 'Inks',
    one: 'an ink',
    many: 'inks',
    tags: ['iron gall', 'pigments'],
    facts: [
      'Iron gall ink is made of oak galls, a salt of iron, gum and water.',
      'Iron gall ink bites into the skin, which is why a knife seldom removes all of it.',
      'Fresh iron gall ink is pale and turns dark within days, as air reaches it.',
      'Soot and gum make an ink that lies on the surface and can be washed away.',
      'Red for headings came from vermilion or from minium, which is a lead pigment.',
      'Too much iron in an ink eats through the page, and then the letters fall out.',
      'A scribe kept ink in a horn and pen and knife in both hands.',
      'Blue from lapis lazuli came from what is now Afghanistan and cost more than gold.',
    ],
  },
  {
    name: 'Bindings',
    one: 'a binding',
    many: 'bindings',
    tags: ['leather', 'repairs'],
    facts: [
      'A binding is often centuries younger than the leaves in it.',
      'Boards of oak keep parchment flat, which would otherwise curl in damp air.',
      'Binders cut up old books for strips and linings, and so they saved fragments that are found nowhere else.',
      'Clasps press a book shut, because parchment swells.',
      'The Saint Cuthbert Gospel still has its binding of about the year 700.',
      'Wormholes that go through board and leaves alike show that both have been together for long.',
      'A chain on a board tells that the book once lay in a library where nobody could carry it away.',
      'Holes of an earlier sewing show how the leaves were gathered before.',
    ],
  },
  {
    name: 'Glosses',
    one: 'a gloss',
    many: 'glosses',
    tags: ['margins', 'readers'],
    facts: [
      'A gloss explains a word between the lines or in the margin.',
      'Many of the oldest words of Irish and German are known from glosses alone.',
      'Scholars ruled wide margins when they expected readers to write.',
      'A small drawn hand points to a line that a reader wanted to find again.',
      'Glosses were copied along with their text, and some of them ended up inside it.',
      'Two inks in one margin usually mean two readers, and sometimes two centuries.',
      'The scribe of a gloss wrote smaller and faster than that of the text.',
      'Readers corrected what they read, and not all of them were right.',
    ],
  },
  {
    name: 'Initials',
    one: 'an initial',
    many: 'initials',
    tags: ['pigments', 'drawing'],
    facts: [
      'The scribe left a space for the initial and wrote a tiny letter in it for the painter.',
      'Where the painter never came, the space is still empty.',
      'Interlace and beasts fill the large initials of books from the British Isles.',
      'An initial with a scene in it is called historiated.',
      'Gold leaf was laid on first and the colours after it.',
      'Workshops used the same pattern for the same letter, which helps to tell where a book was made.',
      'Red and blue take turns in the small initials of many books of the thirteenth century.',
      'A coloured initial told readers where to begin, long before pages had numbers.',
    ],
  },
  {
    name: 'Colophons',
    one: 'a colophon',
    many: 'colophons',
    tags: ['scribes', 'dates'],
    facts: [
      'A colophon tells who wrote a book, where, when, or how tired of it he was.',
      'Many a scribe asked the reader for a prayer, and some asked for wine.',
      '“Three fingers write, the whole body labours” is a line that many scribes copied.',
      'Most books have no colophon, and most scribes have no name.',
      'A colophon can be copied along with the book, so a date in it may be that of an older one.',
      'Dates count from the Creation, from the Incarnation, or by the year of a king.',
      'Some colophons curse whoever steals the book.',
      'Women wrote books too, and a few signed them.',
    ],
  },
] as const satisfies readonly Subject[];

/** Places of the posts, with what is known of them. */
const places = [
  [
    'Bobbio',
    'Columbanus founded the monastery of Bobbio in 614.',
    'Many leaves from Bobbio are now in Milan, Turin and Rome.',
  ],
  [
    'Saint Gall',
    'The abbey library of Saint Gall is among the oldest libraries in the world.',
    'The Plan of Saint Gall was drawn on five pieces of parchment that were sewn together.',
  ],
  [
    'Toledo',
    'Scholars in Toledo translated from Arabic into Latin in the twelfth century.',
    'Gerard of Cremona went to Toledo to read the “Almagest”.',
  ],
  [
    'Kells',
    'The Book of Kells has been in Dublin since the seventeenth century.',
    'The yellow in the Book of Kells is orpiment.',
  ],
  [
    'Constantinople',
    'A scribe in Constantinople copied Archimedes in the tenth century.',
    'Heiberg recognised Archimedes in a prayer book in Constantinople in 1906.',
  ],
  [
    'Lindisfarne',
    'Eadfrith is said to have written the Lindisfarne Gospels.',
    'Aldred wrote an English translation between the lines of the Lindisfarne Gospels.',
  ],
  [
    'Cluny',
    'The abbey of Cluny was founded in 910.',
    'A catalogue of the library of Cluny from the twelfth century survives.',
  ],
  [
    'Timbuktu',
    'Families in Timbuktu have kept manuscripts for generations.',
    'Many manuscripts were carried from Timbuktu to Bamako in 2012.',
  ],
  [
    'Fes',
    'The library of al-Qarawiyyin in Fes is among the oldest that are still in use.',
    'Ibn Khaldun gave a copy of one of his books to a library in Fes.',
  ],
  [
    'Armagh',
    'Ferdomnach wrote the Book of Armagh at the beginning of the ninth century.',
    'The Book of Armagh is now in Dublin.',
  ],
  [
    'Jarrow',
    'Three great Bibles were made at Wearmouth and Jarrow; one of them survives whole.',
    'That Bible, the Codex Amiatinus, is now in Florence.',
  ],
  [
    'Sinai',
    'Saint Catherine’s monastery on Sinai has more than 160 palimpsests.',
    'The Codex Sinaiticus was kept on Sinai until the nineteenth century.',
  ],
] as const;

const remarks = [
  'I have not seen this in any other book.',
  'The catalogue is silent about it.',
  'More light would help; I shall come back in spring.',
  'My notes of last year say the opposite, and they are wrong.',
  'A reader has sent a better reading, for which I am grateful.',
  'The photograph shows it better than words can.',
  'Whoever knows a second example, please write.',
  'It took an afternoon and a good lens.',
  'The shelfmark has changed twice since the last description.',
  'I would not bet a leaf of parchment on it.',
] as const;

export const demoComments = [
  'Thank you, that answers a question of mine.',
  'Is there a picture of the other side of the leaf?',
  'The line about the scribe made my day.',
  'I think the second hand is older than you say.',
  'We have a similar leaf in our library. May I send a photograph?',
  'Which light did you use?',
  'There is a newer catalogue, and it agrees with you.',
  'Could you say more about the repair?',
] as const;

export function subjectOf(i: number): DemoSubject {
  return at(demoSubjects, i + Math.floor(i / places.length));
}

export function placeNamed(i: number): Place {
  return at(places, i);
}

export function demoTitle(i: number): string {
  return at(titles, Math.floor(i / (places.length * demoSubjects.length)))(subjectOf(i), placeNamed(i)[0]);
}

/** The title under which some posts began. */
export function firstTitleOf(i: number): string {
  return `${subjectOf(i).name} in ${placeNamed(i)[0]}`;
}

/** The content after so many edits. `image`: markup of a picture, or ''. */
export function demoContent(i: number, edits: number, image = ''): string {
  const { facts, many } = subjectOf(i);
  const [place, first, second] = placeNamed(i);
  const fact = (n: number) => at(facts, i * 3 + n);
  const remark = (n: number) => at(remarks, i * 7 + n);
  const blocks = [
    paragraph(fact(0), first, ...(edits > 0 ? [fact(6)] : [])),
    paragraph(fact(1), fact(2), edits > 1 ? at(remarks, i * 7 + 5) : remark(0)),
    image,
    heading(at(headings, i)),
    i % 3 === 0 ? list(fact(3), fact(4), second) : paragraph(second, fact(3), fact(4)),
    i % 4 === 1 ? quote(fact(5), `from my notes on ${many}`) : paragraph(fact(5), remark(1)),
    ...(i % 5 === 2 ? [table(place, i)] : []),
    ...(i % 2 === 0 ? [paragraph(remark(2))] : []),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}

export function at<T>(all: readonly [T, ...T[]] | readonly T[], i: number): T {
  const found = all[i % all.length];
  if (found === undefined) throw new Error('an empty list');
  return found;
}

export function paragraph(...sentences: readonly string[]): string {
  return block('paragraph', `<p>${sentences.join(' ')}</p>`);
}

export function imageBlock({ id, url }: { readonly id: number; readonly url: string }, alt: string): string {
  const figure = `<figure class="wp-block-image size-large"><img src="${url}" alt="${alt}" class="wp-image-${id}"/><figcaption class="wp-element-caption">${alt}</figcaption></figure>`;
  return block(`image {"id":${id},"sizeSlug":"large"}`, figure);
}

function heading(text: string): string {
  return block('heading', `<h2 class="wp-block-heading">${text}</h2>`);
}

function quote(text: string, from: string): string {
  return block(
    'quote',
    `<blockquote class="wp-block-quote">${paragraph(text)}<cite>${from[0]?.toUpperCase()}${from.slice(1)}</cite></blockquote>`,
  );
}

function list(...items: readonly string[]): string {
  const rows = items.map((item) => block('list-item', `<li>${item}</li>`)).join('');
  return block('list', `<ul class="wp-block-list">${rows}</ul>`);
}

function table(place: string, i: number): string {
  const row = (...cells: readonly (string | number)[]) =>
    `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  const rows = row('Leaves', 80 + ((i * 17) % 140)) + row('Lines on a page', 18 + (i % 14)) + row('Seen in', place);
  return block('table', `<figure class="wp-block-table"><table><tbody>${rows}</tbody></table></figure>`);
}

function block(name: string, html: string): string {
  const [bare = ''] = name.split(' ');
  return `<!-- wp:${name} -->\n${html}\n<!-- /wp:${bare} -->`;
}
