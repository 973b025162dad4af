import { contains } from '#blocks/contains.ts';
import { foldText } from '#text/fold.ts';
import type { EntryTexts } from '../kernel/collection-query.ts';
import { allColumns, type LengthOf, type ReadyTexts, type SearchPlace, type TextsOf } from './types.ts';

// Characters of folded texts kept, so that a search need not fold them again. A tail with more is indexed.
const keptCharacters = 16_000_000;

export class SearchTail {
  readonly #textsOf: TextsOf;
  readonly #ready: ReadyTexts | undefined;
  readonly #lengthOf: LengthOf;
  readonly #entries = new Map<number, EntryTexts | null>();
  readonly #lengths = new Map<number, number>();
  #kept = 0;
  #length = 0;

  constructor(textsOf: TextsOf, { ready, lengthOf = () => 0 }: { ready?: ReadyTexts; lengthOf?: LengthOf } = {}) {
    this.#textsOf = textsOf;
    this.#ready = ready;
    this.#lengthOf = lengthOf;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Whether the texts have too many characters to be kept folded, so that every search would have to read some of them. */
  get isLong(): boolean {
    return this.#length > keptCharacters;
  }

  get ords(): number[] {
    return [...this.#entries.keys()].sort((a, b) => a - b);
  }

  [Symbol.iterator](): Iterator<number> {
    return this.#entries.keys();
  }

  put(ord: number): void {
    this.delete(ord);
    this.#entries.set(ord, null);
    const length = this.#lengthOf(ord);
    this.#lengths.set(ord, length);
    this.#length += length;
  }

  delete(ord: number): void {
    const texts = this.#entries.get(ord);
    if (texts) this.#kept -= sizeOf(texts);
    this.#entries.delete(ord);
    this.#length -= this.#lengths.get(ord) ?? 0;
    this.#lengths.delete(ord);
  }

  clear(): void {
    for (const ord of this.ords) this.delete(ord);
  }

  holds(ord: number, term: string, place: SearchPlace): boolean {
    return this.which(ord, [term], place)[0] === true;
  }

  which(ord: number, terms: readonly string[], place: SearchPlace): readonly boolean[] {
    // Texts of the tail are kept; only for others is it worth asking first.
    const anywhere = this.#isKept(ord) ? undefined : this.#ready?.which(ord, terms);
    const isEnough = anywhere !== undefined && (isAnywhere(place) || !anywhere.includes(true));
    if (isEnough) return anywhere;
    const texts = this.folded(ord);
    return terms.map((term) => texts !== undefined && hasTerm(texts, term, place));
  }

  folded(ord: number): EntryTexts | undefined {
    const known = this.#entries.get(ord);
    if (known) return known;
    const folded = this.#ready?.texts(ord) ?? foldTexts(this.#textsOf(ord));
    if (folded === undefined) return undefined;
    if (known === null && this.#hasRoom) {
      this.#entries.set(ord, folded);
      this.#kept += sizeOf(folded);
    }
    return folded;
  }

  #isKept(ord: number): boolean {
    const known = this.#entries.get(ord);
    return known === null ? this.#hasRoom : known !== undefined;
  }

  get #hasRoom(): boolean {
    return this.#kept < keptCharacters;
  }
}

function foldTexts(texts: EntryTexts | undefined): EntryTexts | undefined {
  if (texts === undefined) return undefined;
  const { title, content, excerpt } = texts;
  return { title: foldText(title), content: foldText(content), excerpt: foldText(excerpt) };
}

function isAnywhere({ columns, exact }: SearchPlace): boolean {
  return !exact && columns.length === allColumns.length;
}

function hasTerm(texts: EntryTexts, term: string, { columns, exact }: SearchPlace): boolean {
  return columns.some((column) => (exact ? texts[column] === term : contains(texts[column], term)));
}

function sizeOf({ title, content, excerpt }: EntryTexts): number {
  return title.length + content.length + excerpt.length;
}
