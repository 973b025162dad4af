import words from './words.json' with { type: 'json' };

type DemoSubject = (typeof demoSubjects)[number];
type Place = (typeof words.places)[number];

/** What the posts are about: the categories of the site. */
export const { subjects: demoSubjects, comments: demoComments, writers: demoWriters } = words;

export function subjectOf(i: number): DemoSubject {
  return at(demoSubjects, i + Math.floor(i / words.places.length));
}

export function placeNamed(i: number): Place {
  return at(words.places, i);
}

export function demoTitle(i: number): string {
  const { name, one, many } = subjectOf(i);
  const blanks: Readonly<Record<string, string>> = { name, one, many, place: placeNamed(i).name };
  const form = at(words.titles, Math.floor(i / (words.places.length * demoSubjects.length)));
  return form.replace(/\{(\w+)\}/g, (_, blank: string) => blanks[blank] ?? '');
}

/** The title under which some posts began. */
export function firstTitleOf(i: number): string {
  return `${subjectOf(i).name} in ${placeNamed(i).name}`;
}

/** The content after so many edits. `image`: markup of a picture, or ''. */
export function demoContent(i: number, edits: number, image = ''): string {
  const { facts, many } = subjectOf(i);
  const { name: place, facts: known } = placeNamed(i);
  const [first = '', second = ''] = known;
  const fact = (n: number) => at(facts, i * 3 + n);
  const remark = (n: number) => at(words.remarks, i * 7 + n);
  const blocks = [
    paragraph(fact(0), first, ...(edits > 0 ? [fact(6)] : [])),
    paragraph(fact(1), fact(2), edits > 1 ? at(words.remarks, i * 7 + 5) : remark(0)),
    image,
    heading(at(words.headings, i)),
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
  const rows = items.map((item) => block('list-item', `<li>${item}</li>`)).join('\n\n');
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
