import { numberSlug, plainLetters, slugify } from '#domain/entry/slug.ts';
import { firstFree, type TakenNumbers } from '#domain/kernel/numbering.ts';
import { typeOfEnding } from './types.ts';

/** Slugs that are numbered at once, because their addresses would mean something else. */
const RESERVED = new Set(['feed', 'rdf', 'rss', 'rss2', 'atom', 'embed']);
/** Characters of a file name before its ending: longer ones do not fit on every disk. */
const LONGEST = 180;

const UNSAFE =
  /[?[\]/\\=<>:;,'"&$#*()|~`!{}%+’«»”“\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** The slug itself if nothing else of the site has it, else the first free number behind it (interface behaviour, section 12). */
export function uniqueMediaSlug(base: string, taken: (slug: string) => boolean, numbers?: TakenNumbers): string {
  if (!taken(base) && !RESERVED.has(base)) return base;
  return numberSlug(
    base,
    firstFree((n) => taken(numberSlug(base, n)), numbers),
  );
}

export function slugFromTitle(title: string, id: number): string {
  return slugify(title) || String(id);
}

/**
 * A file's name as it may stand in an address: one that every system can store, without what has a meaning in
 * addresses or shells. Null when it has no ending.
 */
export function fileName(given: string): string | null {
  const clean = withoutMarks(given);
  const dot = clean.lastIndexOf('.');
  // A name that is nothing but an ending.
  if (dot < 0) return typeOfEnding(clean) === undefined ? null : `unnamed-file.${clean.toLowerCase()}`;
  const [first = '', ...middle] = clean.slice(0, dot).split('.');
  const stem = [first, ...middle.map(disarmed)].join('.');
  return `${shortened(stem)}.${endingOf(clean).toLowerCase()}`;
}

/** A file's name without its last ending. */
export function stemOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? name : name.slice(0, dot);
}

/** A file's last ending, without its dot. */
export function endingOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1);
}

export function sizeName(name: string, { width, height }: { readonly width: number; readonly height: number }): string {
  return `${stemOf(name)}-${width}x${height}.${endingOf(name)}`;
}

export function shownName(name: string, suffix: string): string {
  return `${stemOf(name)}-${suffix}.${endingOf(name)}`;
}

/** A name for what editing made of a file, however often it was edited before. */
export function editedName(name: string): string {
  return `${stemOf(name).replace(/-edited(?:-\d+)?$/, '')}-edited.${endingOf(name)}`;
}

/** The name itself if it is free, else the first number behind it. One that could be that of a size is numbered at once. */
export function uniqueFileName(name: string, taken: (name: string) => boolean): string {
  const [stem, ending] = [stemOf(name), endingOf(name)];
  if (!/-(?:\d+x\d+|scaled|rotated)$/.test(stem) && !taken(name)) return name;
  for (let n = 1; ; n++) {
    const numbered = `${stem}-${n}.${ending}`;
    if (!taken(numbered)) return numbered;
  }
}

function withoutMarks(name: string): string {
  return plainLetters(name.toWellFormed())
    .replace(/[\s\u00a0]+/g, ' ')
    .replace(UNSAFE, '')
    .replace(/\.{2,}/g, '.')
    .replace(/[ -]+/g, '-')
    .replace(/^[._-]+|[._-]+$/g, '')
    .normalize('NFC');
}

/** An inner ending that would mean something to a server is no ending any more. */
function disarmed(part: string): string {
  return /^[a-z]{2,5}\d?$/i.test(part) && typeOfEnding(part) === undefined ? `${part}_` : part;
}

function shortened(stem: string): string {
  if (Buffer.byteLength(stem) <= LONGEST) return stem;
  let short = '';
  for (const char of stem) {
    if (Buffer.byteLength(short + char) > LONGEST) break;
    short += char;
  }
  return short;
}
