import { freeNumberedSlug, type NumberedSlug, plainLetters, slugify } from '#text/slug.ts';
import { typeOfExtension } from './types.ts';

/** Slugs that always get a number, because their addresses would mean something else. */
const RESERVED = new Set(['feed', 'rdf', 'rss', 'rss2', 'atom', 'embed']);
/** Maximum length in bytes of a file name without its extension: some file systems allow no more. */
const LONGEST = 180;

const UNSAFE =
  /[?[\]/\\=<>:;,'"&$#*()|~`!{}%+’«»”“\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** The slug itself if it is free on the whole site, otherwise with the first free number (interface behaviour, section 12). */
export function uniqueMediaSlug(wanted: NumberedSlug): string {
  const { base, isTaken } = wanted;
  return isTaken(base) || RESERVED.has(base) ? freeNumberedSlug(wanted) : base;
}

export function slugFromTitle(title: string, id: number): string {
  return slugify(title) || String(id);
}

/** A file name that is safe in addresses, shells and file systems. Null if it has no extension. */
export function fileName(given: string): string | null {
  const clean = withoutMarks(given);
  const dot = clean.lastIndexOf('.');
  // The name consists of an extension only.
  if (dot < 0) return typeOfExtension(clean) === undefined ? null : `unnamed-file.${clean.toLowerCase()}`;
  const [first = '', ...middle] = clean.slice(0, dot).split('.');
  const stem = [first, ...middle.map(disarmed)].join('.');
  return `${shortened(stem)}.${endingOf(clean).toLowerCase()}`;
}

/** A file name without its last extension. */
export function stemOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? name : name.slice(0, dot);
}

/** The last extension of a file name, without its dot. */
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

/** Name of an edited version of a file, the same however often it was edited before. */
export function editedName(name: string): string {
  return `${stemOf(name).replace(/-edited(?:-\d+)?$/, '')}-edited.${endingOf(name)}`;
}

/** The name itself if it is free, otherwise with the first free number. A name that looks like that of a size always gets a number. */
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
    .replace(/^[._-]+|(?<![._-])[._-]+$/g, '')
    .normalize('NFC');
}

/** Neutralises an inner extension that a server might interpret. */
function disarmed(part: string): string {
  return /^[a-z]{2,5}\d?$/i.test(part) && typeOfExtension(part) === undefined ? `${part}_` : part;
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
