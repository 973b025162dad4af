const things = [
  'palimpsest',
  'codex',
  'scroll',
  'quire',
  'initial',
  'gloss',
  'colophon',
  'binding',
  'watermark',
  'ink',
];
const places = [
  'Bobbio',
  'Sankt Gallen',
  'Toledo',
  'Kells',
  'Constantinople',
  'Lindisfarne',
  'Cluny',
  'Timbuktu',
  'Fes',
  'Armagh',
];
const titles = [
  (thing: string, place: string) => `The ${thing} of ${place}`,
  (thing: string, place: string) => `What a ${thing} tells about ${place}`,
  (thing: string, place: string) => `A ${thing} travels to ${place}`,
] as const;
const sentences = [
  'The older writing shows where the light falls from the side.',
  'Whoever scraped the page needed parchment more than Cicero.',
  'Two hands wrote here, and the second one was in a hurry.',
  'The margins are wider than the text, and better read.',
  'Nobody has counted the leaves since the fire.',
  'The ink has gone brown, but every letter can be read.',
  'A reader of the twelfth century disagreed, and said so beside the line.',
  'Iron and oak galls made an ink that bites into the skin.',
  'The catalogue lists it twice, under two names.',
  'Ultraviolet light brought back a page of a lost comedy.',
  'The binding is younger than the book by four hundred years.',
  'Somebody tried a new pen on the last leaf.',
] as const;

export function titleOf(i: number): string {
  const [thing = '', place = ''] = [things[i % 10], places[Math.floor(i / 10) % 10]];
  return (titles[Math.floor(i / 100) % 3] ?? titles[0])(thing, place);
}

/** `version`: number of edits. */
export function contentOf(i: number, version: number): string {
  const paragraph = (p: number) =>
    Array.from(
      { length: 4 },
      (_, s) => sentences[(i * 7 + p * 5 + s * (1 + (i % 5)) + (p === 0 ? version : 0)) % 12],
    ).join(' ');
  return Array.from(
    { length: 3 + (i % 3) },
    (_, p) => `<!-- wp:paragraph -->\n<p>${paragraph(p)}</p>\n<!-- /wp:paragraph -->`,
  ).join('\n\n');
}

export function sentence(i: number): string {
  return sentences[i % 12] ?? sentences[0];
}

export const subjects = things.slice(0, 6).map((thing) => `${thing[0]?.toUpperCase()}${thing.slice(1)}`);
